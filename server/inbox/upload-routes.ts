import type { Request, Response } from 'express'
import * as z from 'zod/mini'
import { fileHeaders } from '#shared/inbox/files.ts'
import { Problem } from '../errors/problem.ts'
import { allowSlowBody } from '../http/open-port.ts'
import { readInput, send, sessionOf } from '../http/requests.ts'
import { removeFile } from '../leads/answers/files.ts'
import { uploadFile } from '../leads/answers/upload-file.ts'
import type { InboxDeps } from './inbox-deps.ts'

const fileId = z.uuid('The page sent incomplete data. Please reload it and try again.').check(z.toLowerCase())

/** Handles the files that owners attach to unfinished answers. */
export function uploadRoutes(deps: InboxDeps) {
  const identify = ({ params }: Request, response: Response) => ({
    reference: String(params.reference),
    who: sessionOf(response).owner,
    id: readInput(fileId, params.id),
  })
  return {
    upload: send(async (request, response) => {
      const { who: owner, ...file } = identify(request, response)
      if (!request.is('application/octet-stream') || request.headers['content-encoding'])
        throw new Problem(
          'unsupported_media_type',
          'Send the bytes (Content-Type: application/octet-stream), not compressed.',
        )
      allowSlowBody(request)
      const length = request.get('Content-Length')
      const attached = await uploadFile(deps, {
        ...file,
        owner,
        name: decodeName(request.get(fileHeaders.name) ?? ''),
        type: request.get(fileHeaders.type) ?? '',
        size: length === undefined ? undefined : Number(length),
        bytes: request.iterator({ destroyOnReturn: false }),
        // After an error, the rest is read, so that the browser gets the response.
      }).finally(() => request.resume())
      return { attached }
    }),
    remove: send(async (request, response) => ({
      attached: await removeFile(deps, identify(request, response)),
    })),
  }
}

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    throw new Problem('invalid_input', 'The name of this file cannot be read. Please rename it.')
  }
}
