const KEY = 'inbox-shortcuts'

/** A choice of this browser, not of a person; a browser without storage forgets it. */
export function isShortcutsOff(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off'
  } catch {
    return false
  }
}

/** Returns whether they are off now. */
export function turnShortcuts(to: 'on' | 'off'): boolean {
  try {
    if (to === 'off') localStorage.setItem(KEY, to)
    else localStorage.removeItem(KEY)
  } catch {
    // Then the choice lasts until the page is closed.
  }
  return to === 'off'
}
