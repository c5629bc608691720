const KEY = 'inbox-shortcuts'

/** Whether shortcuts are off in this browser, for every owner. If the browser can't read the setting, they are on. */
export function isShortcutsOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off'
  } catch {
    return false
  }
}

/** Turns shortcuts on or off, and returns whether they are off. */
export function turnShortcuts(to: 'on' | 'off'): boolean {
  try {
    if (to === 'off') localStorage.setItem(KEY, to)
    else localStorage.removeItem(KEY)
  } catch {
    // Without storage, the choice lasts until the page is closed.
  }
  return to === 'off'
}
