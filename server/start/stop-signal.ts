const PARENT_CHECK_MS = 250

/** Resolves when the server is told to stop. A second signal doesn't interrupt the shutdown. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const name of ['SIGTERM', 'SIGINT']) process.on(name, () => resolve())
    // npm runs us in a shell. A SIGTERM to npm ends that shell, but doesn't reach us, so stop once
    // our parent is gone.
    if (!process.env.npm_lifecycle_event) return
    const parent = process.ppid
    setInterval(() => process.ppid !== parent && resolve(), PARENT_CHECK_MS).unref()
  })
}
