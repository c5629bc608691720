import { createHash } from 'node:crypto'
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http'

/** The bytes of an answer in every form that is kept: as they are, and compressed where that was worth it. */
export type Forms = { identity: Buffer; br?: Buffer | undefined; gzip?: Buffer | undefined }
export type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * An answer from memory, in the best form that the browser takes. It writes to the bare response, with headers made
 * once: through the usual middleware the same answer costs twice as much. No disk is touched, so a crowd of slow
 * readers uses up no files, and a build in the same folder pulls nothing from under a running server.
 */
export function prepareAnswer(forms: Forms, headers: OutgoingHttpHeaders, status = 200): Answer {
  const etag = createHash('sha256').update(forms.identity).digest('base64url').slice(0, 22)
  const headersOf = (form: keyof Forms) => ({
    ...headers,
    ETag: `"${etag}-${form}"`,
    ...(form !== 'identity' && { 'Content-Encoding': form }),
    ...((forms.br || forms.gzip) && { Vary: 'Accept-Encoding' }),
  })
  const headersByForm = { br: headersOf('br'), gzip: headersOf('gzip'), identity: headersOf('identity') }

  return (request, response) => {
    const form = bestForm(forms, request.headers['accept-encoding'])
    if (status === 200 && request.headers['if-none-match']?.includes(headersByForm[form].ETag)) {
      response.writeHead(304, headersByForm[form]).end()
      return
    }
    const body = forms[form] ?? forms.identity
    response.writeHead(status, { ...headersByForm[form], 'Content-Length': body.length })
    response.end(request.method === 'HEAD' ? undefined : body)
  }
}

function bestForm(forms: Forms, acceptEncoding = ''): keyof Forms {
  if (forms.br && accepts(acceptEncoding, 'br')) return 'br'
  return forms.gzip && accepts(acceptEncoding, 'gzip') ? 'gzip' : 'identity'
}

/** A coding with `q=0` is refused by the browser (RFC 9110, 12.5.3). */
const accepts = (acceptEncoding: string, coding: string) =>
  acceptEncoding.includes(coding) &&
  new RegExp(`(?:^|,)\\s*${coding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))[^,]*)?(?:,|$)`, 'i').test(
    acceptEncoding,
  )
