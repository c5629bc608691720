import { skipToken, useQuery } from '@tanstack/react-query'
import { v4 as randomUuid } from 'uuid'
import { count } from '#shared/count.ts'
import {
  attachedFiles,
  fileOfDraft,
  MAX_ATTACHED,
  MAX_ATTACHED_BYTES,
  sizeInWords,
} from '#shared/inbox/files.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { ApiError, callApi } from './api.ts'
import {
  changeTo,
  fetchedLead,
  isWorthRetrying,
  keys,
  patchLead,
  pathOf,
  queryClient,
  refresh,
  retryInMs,
} from './queries.ts'
import { sendFile } from './send-file.ts'

const RETRY_MS = 2_000
// On a slow connection, the largest file takes minutes. If nothing moves, the upload ends earlier.
const TIMEOUT_MS = 60 * 60_000

/**
 * A file that an owner has chosen for an answer, until the server has all of it. Kept while the page
 * is open, even if the sheet is closed.
 */
export type Upload = {
  /** Each attempt has the same one, so that the server stores the file once. */
  id: string
  file: File
  /** The share of the file that was sent. Undefined if nothing was sent yet. */
  sent?: number
  /** Why it could not be uploaded. If that may pass, the page tries again without being asked. */
  error?: ApiError | undefined
}

const pathTo = (reference: string, id: string) => `${pathOf(reference)}/${fileOfDraft(id)}`

const readUploads = (reference: string) =>
  queryClient.getQueryData<Upload[]>(keys.typed('files', reference)) ?? []

const writeUploads = (reference: string, uploads: Upload[]) =>
  queryClient.setQueryData(keys.typed('files', reference), uploads)

const change = (reference: string, id: string, news: Partial<Upload>) =>
  writeUploads(
    reference,
    readUploads(reference).map((upload) => (upload.id === id ? { ...upload, ...news } : upload)),
  )

const drop = (reference: string, id: string) =>
  writeUploads(
    reference,
    readUploads(reference).filter((upload) => upload.id !== id),
  )

const noUploads: Upload[] = []

/** What an owner has chosen for an answer and the server doesn't have yet. */
export const useUploads = (reference: string): Upload[] =>
  useQuery<Upload[]>({ queryKey: keys.typed('files', reference), queryFn: skipToken }).data ?? noUploads

/** Why the answer can't be sent yet; undefined if all its files are uploaded. */
export const useObstacle = (reference: string): string | undefined =>
  useQuery<Upload[], ApiError, string | undefined>({
    queryKey: keys.typed('files', reference),
    queryFn: skipToken,
    select: obstacleIn,
  }).data

/** The same, but also of files that were chosen since the page was drawn. */
export const obstacleTo = (reference: string): string | undefined => obstacleIn(readUploads(reference))

function obstacleIn(uploads: Upload[]): string | undefined {
  if (uploads.some(isRefused)) return 'A file is not attached: try again, or remove it.'
  return uploads.length > 0 ? 'Wait until all files are uploaded, or remove them.' : undefined
}

/** Whether the page doesn't try again without being asked. An upload waits for the next sign-in. */
const isFinal = (error: ApiError) => !error.isTransient && error.status !== 401

/** Whether it ended without success. */
export const isRefused = ({ error }: Upload): boolean => error !== undefined && isFinal(error)

/** Uploads files straight into the unfinished answer, one after the other. */
export function attachFiles(reference: string, files: File[]): void {
  const room = Math.max(0, MAX_ATTACHED - filesOf(reference).length)
  // One line says that there is no room for it and the others.
  for (const file of files.slice(0, room + 1)) {
    const error = problemOf(reference, file, files.length - room)
    writeUploads(reference, [...readUploads(reference), { id: randomUuid(), file, error }])
  }
  void uploadNext()
}

/** Tries again to upload a file that has failed. */
export function retryUpload(reference: string, { id, file }: Upload): void {
  change(reference, id, { error: problemOf(reference, file) })
  void uploadNext()
}

/** The files of an answer, as far as they can be sent. */
function filesOf(reference: string): { size: number }[] {
  const uploads = readUploads(reference).filter((upload) => !isRefused(upload))
  return [...(fetchedLead(reference)?.attached ?? []), ...uploads.map(({ file }) => file)]
}

const refused = (words: string) => new ApiError(400, words)

/** Why the server would refuse a file. `tooMany`: how many are too many, if there are ten already. */
function problemOf(reference: string, { name, size }: File, tooMany = 1): ApiError | undefined {
  const others = filesOf(reference)
  if (size === 0) return refused(`${name} is empty, or a folder.`)
  if (others.length >= MAX_ATTACHED)
    return refused(
      `An answer can have at most ${count(MAX_ATTACHED, 'file')}: ${count(tooMany, 'file is', 'files are')} not attached.`,
    )
  const bytes = others.reduce((sum, other) => sum + other.size, size)
  if (bytes <= MAX_ATTACHED_BYTES) return
  const most = `All files together can have at most ${sizeInWords(MAX_ATTACHED_BYTES)}.`
  return refused(`${name} has ${sizeInWords(size)}. ${most}`)
}

/** The upload that is running, or that waits for its next attempt. */
let running: { id: string; controller: AbortController } | undefined

/** Uploads what is waiting, unless that is already happening or nobody is signed in. */
async function uploadNext(failures = 0): Promise<void> {
  const [reference, next] = findNext() ?? []
  if (running || !reference || !next || !queryClient.getQueryData(keys.session)) return
  const { id, file } = next
  const controller = new AbortController()
  running = { id, controller }
  change(reference, id, { sent: 0 })
  const send = sendFile(file, (sent) => change(reference, id, { sent, error: undefined }))
  const options = { method: 'PUT', controller, send, timeoutMs: TIMEOUT_MS } as const
  const error = await callApi(pathTo(reference, id), attachedFiles, options).then(
    (stored) => {
      patchLead(reference, stored)
      drop(reference, id)
      void refresh()
      return undefined
    },
    (error: ApiError) => explain(error, file),
  )
  change(reference, id, { error })
  if (error && !isFinal(error) && !controller.signal.aborted) {
    const pauseMs = error.status === 0 ? RETRY_MS : retryInMs(failures, error)
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  running = undefined
  void uploadNext(error ? failures + 1 : 0)
}

/** A file that has changed on the disk since it was chosen looks like a lost connection. */
async function explain(error: ApiError, file: File): Promise<ApiError> {
  if (error.status !== 0) return error
  const read = file.slice(0, 1).arrayBuffer()
  return read.then(
    () => error,
    () => refused(`${file.name} can't be read. Is it a folder, or has it changed?`),
  )
}

function findNext(): [reference: string, upload: Upload] | undefined {
  const all = queryClient.getQueriesData<Upload[]>({ queryKey: ['typed', 'files'] })
  for (const [[, , reference], uploads] of all) {
    const upload = uploads?.find((one) => !isRefused(one))
    if (upload) return [String(reference), upload]
  }
}

/** Ends an upload. The server may have all of the file, although its response was lost. */
export function cancelUpload(reference: string, id: string): void {
  if (running?.id === id) running.controller.abort()
  drop(reference, id)
}

/** The options of a mutation that removes the file with a given ID from an unfinished answer. */
export const detachFile = (reference: string) => ({
  ...changeTo(reference),
  retry: isWorthRetrying,
  mutationFn: (id: string) => callApi(pathTo(reference, id), attachedFiles, { method: 'DELETE' }),
  onSuccess: (rest: Partial<LeadDetail>) => patchLead(reference, rest),
})

/** Goes on with uploads after a sign-in, and warns before the page is closed during one. */
export function watchUploads(): void {
  queryClient.getQueryCache().subscribe(({ query, type }) => {
    if (type === 'updated' && query.queryKey[0] === keys.session[0]) void uploadNext()
  })
  window.addEventListener('beforeunload', (event) => {
    if (findNext()) event.preventDefault()
  })
}
