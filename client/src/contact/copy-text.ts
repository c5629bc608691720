/**
 * Copies text to the clipboard. Returns false on failure: for example, browsers hide the clipboard
 * over plain HTTP.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
