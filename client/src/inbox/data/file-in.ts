import { FILE_SIZE } from '#shared/inbox/headers.ts'

// The file's temporary URL is revoked after this long. The browser
// needs the URL until the file is saved.
const ADDRESS_MS = 60_000

/** The file in a response. `onProgress` gets the part that has arrived, from 0 to 1. */
export async function fileIn({ body, headers }: Response, onProgress?: (part: number) => void) {
  const reader = body?.getReader()
  const size = Number(headers.get(FILE_SIZE))
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let received = 0
  for (let next = await reader?.read(); next?.value; next = await reader?.read()) {
    chunks.push(next.value)
    received += next.value.length
    // The size is not exact.
    onProgress?.(Math.min(1, received / size))
  }
  return new File(chunks, nameIn(headers.get('Content-Disposition') ?? ''), {
    type: headers.get('Content-Type') ?? '',
  })
}

/** The name in this header, in which other letters than those of English are encoded (RFC 8187). */
function nameIn(disposition: string): string {
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? []
  const [, quoted, plain = 'file'] = /filename=(?:"([^"]+)"|([^;]+))/.exec(disposition) ?? []
  return encoded ? decodeURIComponent(encoded) : (quoted ?? plain)
}

/** Lets the browser save a file. */
export function saveFile(file: File): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = file.name
  link.click()
  setTimeout(URL.revokeObjectURL, ADDRESS_MS, link.href)
}
