import { MutationObserver, useMutationState } from '@tanstack/react-query'
import { v4 as randomUuid } from 'uuid'
import { fileInWords, sizeInWords } from '#shared/files-in-words.ts'
import {
  type AttachedFile,
  attachedFiles,
  fileHeaders,
  fileOfDraft,
  MAX_ATTACHED,
  MAX_ATTACHED_BYTES,
} from '#shared/inbox/files.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { ApiError, callApi } from './api.ts'
import { changeTo, isWorthRetrying, keys, patchLead, pathOf, queryClient, refresh } from './queries.ts'

const RETRY_MS = 2_000
// What the server allows.
const TIMEOUT_MS = 10 * 60_000

/** A file that an owner has chosen for an answer, until the server has all of it. */
type Chosen = { id: string; file: File; controller: AbortController }
export type Upload = Chosen & { isFailed: boolean; trouble: string | undefined }
type Attached = Pick<LeadDetail, 'attached'>

const keyOf = (...lead: [reference?: string, id?: string]) => ['upload', ...lead]
const pathTo = (reference: string, id: string) => `${pathOf(reference)}/${fileOfDraft(id)}`

/** What is being uploaded to an answer, even if its sheet was closed, and what could not be. */
export const useUploads = (reference: string): Upload[] =>
  useMutationState({
    filters: { mutationKey: keyOf(reference) },
    select: ({ state: { variables, status, failureReason } }) => ({
      ...(variables as Chosen),
      isFailed: status === 'error',
      trouble: failureReason?.message,
    }),
  })

/**
 * Uploads files straight into the unfinished answer, which has those `before`. Returns why some
 * can't be attached.
 */
export function attachFiles(
  reference: string,
  files: File[],
  before: Pick<AttachedFile, 'size'>[],
): string | undefined {
  const all = [...before]
  const refused = files.filter((file) => {
    const bytes = all.reduce((sum, { size }) => sum + size, file.size)
    if (file.size === 0 || bytes > MAX_ATTACHED_BYTES || all.length >= MAX_ATTACHED) return true
    all.push(file)
    upload(reference, file)
    return false
  })
  if (refused.length === 0) return
  const names = refused.map(fileInWords).join(', ')
  const most = `${MAX_ATTACHED} files with ${sizeInWords(MAX_ATTACHED_BYTES)} together`
  return `Not attached: ${names}. An answer can have at most ${most}, and no empty files or folders.`
}

/**
 * Uploads a file after those before it, and tries again until the server has it or refuses it. With
 * the ID of an earlier attempt, the server stores the file only once.
 */
export function upload(reference: string, file: File, id: string = randomUuid()): void {
  cancelUpload(reference, id)
  const controller = new AbortController()
  const observer = new MutationObserver<Attached, ApiError, Chosen>(queryClient, {
    mutationKey: keyOf(reference, id),
    scope: { id: 'upload' },
    // It waits for the connection, or for a sign-in.
    retry: (_, { isTransient, status }) => !controller.signal.aborted && (isTransient || status === 401),
    retryDelay: RETRY_MS,
    async mutationFn() {
      // Otherwise, a folder, or a file that is gone, would look like a lost connection.
      const first = file.slice(0, 1).arrayBuffer()
      await first.catch(() =>
        Promise.reject(new ApiError(400, 'This cannot be read: it is a folder, or a file that has changed.')),
      )
      controller.signal.throwIfAborted()
      if (!queryClient.getQueryData(keys.session)) throw new ApiError(401, 'Please sign in again.')
      const send = sendFile(file, (share) => queryClient.setQueryData(keys.typed('sent', id), share))
      const options = { method: 'PUT', controller, timeoutMs: TIMEOUT_MS, send } as const
      return callApi(pathTo(reference, id), attachedFiles, options)
    },
    onSuccess: (stored) => patchLead(reference, stored),
    onSettled: () => void refresh(),
  })
  observer.mutate({ id, file, controller }).then(
    () => cancelUpload(reference, id),
    () => {},
  )
}

/**
 * Sends a file instead of the content of a request. Does what `fetch` does, and also says what
 * share of the file was sent.
 */
const sendFile =
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

/** Ends an upload. The server may have all of the file, although its response was lost. */
export function cancelUpload(reference: string, id: string): void {
  const cache = queryClient.getMutationCache()
  const mutation = cache.find<Attached, ApiError, Chosen>({ mutationKey: keyOf(reference, id) })
  if (!mutation) return
  mutation.state.variables?.controller.abort()
  cache.remove(mutation)
  // The next one would wait for the end of a pause that never comes.
  void cache.resumePausedMutations()
}

/** The options of a mutation that removes a file, uploaded or not, from an unfinished answer. */
export const detachFile = (reference: string) => ({
  ...changeTo(reference),
  retry: isWorthRetrying,
  mutationFn: (id: string) => callApi(pathTo(reference, id), attachedFiles, { method: 'DELETE' }),
})

/** Warns before the page is closed during an upload. */
export const guardUploads = (): void =>
  addEventListener('beforeunload', (event) => {
    if (queryClient.isMutating({ mutationKey: keyOf() }) > 0) event.preventDefault()
  })
