const EVERY_MS = 100

/** A line on the terminal that counts up; nothing where stderr is no terminal. */
export function createProgress(describe: (count: number) => string) {
  const { stderr } = process
  let shownAt = 0
  return {
    show(count: number) {
      if (!stderr.isTTY || Date.now() - shownAt < EVERY_MS) return
      shownAt = Date.now()
      stderr.write(`\r\u001b[K${describe(count)}`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}
