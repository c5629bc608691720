/** "12 kB" or "1.5 MB". */
export function sizeInWords(bytes: number): string {
  const kilobytes = Math.ceil(bytes / 1_000)
  return kilobytes < 1_000 ? `${kilobytes} kB` : `${Math.ceil(kilobytes / 100) / 10} MB`
}

/** "plan.pdf (12 kB)". */
export const fileInWords = ({ name, size }: { name: string; size: number }): string =>
  `${name} (${sizeInWords(size)})`
