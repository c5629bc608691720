const MIN_INTERVAL_MS = 100

/** Creates a progress line on stderr. Prints nothing if stderr is not a terminal. */
export function createProgress(describe: (progress: number) => string) {
  const { stderr } = process
  let shownAt = 0
  return {
    show(progress: number) {
      if (!stderr.isTTY || Date.now() - shownAt < MIN_INTERVAL_MS) return
      shownAt = Date.now()
      stderr.write(`\r\u001b[K${describe(progress)}`)
    },
    clear() {
      if (stderr.isTTY) stderr.write('\r\u001b[K')
    },
  }
}

/** Creates a progress line for copying a database. Its `show` expects a fraction from 0 to 1. */
export const createCopyProgress = () => createProgress((fraction) => `Copying ${Math.floor(fraction * 100)}%`)
