import { fileHeaders } from '#shared/inbox/files.ts'

/**
 * Sends a file instead of the content of a request. Does what `fetch` does, and also says what
 * share of the file was sent.
 */
export const sendFile =
  (file: File, onSent: (share: number) => void): typeof fetch =>
  (address, { headers, signal } = {}) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason)
      const request = new XMLHttpRequest()
      request.upload.onprogress = ({ loaded, total }) => onSent(loaded / total)
      request.onload = () => resolve(new Response(request.responseText, { status: request.status }))
      request.onerror = reject
      signal?.addEventListener('abort', () => request.abort())
      request.open('PUT', String(address))
      const all = new Headers(headers)
      all.set('Content-Type', 'application/octet-stream')
      all.set(fileHeaders.name, encodeURIComponent(file.name))
      all.set(fileHeaders.type, file.type)
      for (const [name, value] of all) request.setRequestHeader(name, value)
      request.send(file)
    })
