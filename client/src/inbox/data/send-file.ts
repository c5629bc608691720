import { fileHeaders } from '#shared/inbox/files.ts'

// If no byte moves for this long, the connection is lost.
const STALLED_MS = 30_000

/**
 * Sends a file instead of the content of a request. Does what `fetch` does, and also says what share
 * of the file was sent.
 */
export const sendFile =
  (file: File, onSent: (share: number) => void): typeof fetch =>
  (address, { method = 'PUT', headers, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest()
      const abort = () => request.abort()
      let timer = setTimeout(abort, STALLED_MS)
      request.upload.onprogress = ({ loaded, total }) => {
        clearTimeout(timer)
        timer = setTimeout(abort, STALLED_MS)
        onSent(loaded / total)
      }
      request.onload = () => resolve(responseOf(request))
      request.onerror = reject
      request.onabort = reject
      request.onloadend = () => clearTimeout(timer)
      signal?.addEventListener('abort', abort)
      request.open(method, String(address))
      const all = new Headers(headers)
      all.set('Content-Type', 'application/octet-stream')
      all.set(fileHeaders.name, encodeURIComponent(file.name))
      all.set(fileHeaders.type, file.type)
      for (const [name, value] of all) request.setRequestHeader(name, value)
      request.send(file)
    })

function responseOf(request: XMLHttpRequest): Response {
  const headers = new Headers()
  for (const name of ['Date', 'Retry-After']) headers.set(name, request.getResponseHeader(name) ?? '')
  return new Response(request.responseText || null, { status: request.status, headers })
}
