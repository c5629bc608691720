const reported = new Set<string>()

/**
 * Reports an error to the console unless it has been reported before: React renders again after an
 * error, and fails again.
 */
export function reportOnce(error: unknown): void {
  // React wraps the errors that it recovers from.
  const cause = (error instanceof Error && error.cause) || error
  if (reported.has(String(cause))) return
  reported.add(String(cause))
  // biome-ignore lint/suspicious/noConsole: the page goes on, so nobody else would learn of it.
  console.error(cause)
}
