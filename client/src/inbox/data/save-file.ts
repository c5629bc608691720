// The file's temporary URL is revoked after this long. The browser
// needs the URL until the file is saved.
const ADDRESS_MS = 60_000

/** Lets the browser save a file. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name
  link.click()
  setTimeout(URL.revokeObjectURL, ADDRESS_MS, link.href)
}
