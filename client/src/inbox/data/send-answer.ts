import type * as z from 'zod/mini'
import { answerQueued, answerUndone, type LeadDetail } from '#shared/inbox/lead.ts'
import { createAnswerKeys } from './answer-keys.ts'
import { ApiError, callApi } from './api.ts'
import { adopt } from './change-lead.ts'
import { draftOf, rememberDraft } from './drafts.ts'
import { dropReads, findRow, pathOf } from './lead-cache.ts'
import { isWorthRetrying, keys, queryClient, retryInMs } from './query-client.ts'
import { refresh } from './refresh-page.ts'

export type QueuedAnswer = z.infer<typeof answerQueued>

const answerKeys = createAnswerKeys()

/** Queues an answer, and retries if the response is lost. Throws `ApiError`. */
export async function sendAnswer(reference: string, text: string): Promise<QueuedAnswer> {
  const draft = draftOf(reference)
  const release = refresh.hold()
  try {
    await draft.hold()
    const queued = await withRetries(() => post(reference, text))
    answerKeys.forget(reference)
    draft.discard()
    await show(reference, queued, { draft: null, pendingAnswer: queued })
    return queued
  } catch (error) {
    draft.release()
    if (error instanceof ApiError && error.current) adopt(reference, error.current)
    throw error
  } finally {
    release()
  }
}

/** Undoes a queued answer, and retries if the response is lost. Throws `ApiError`. */
export async function undoAnswer(reference: string, key: string): Promise<string> {
  const release = refresh.hold()
  try {
    const path = `${pathOf(reference)}/answers/${encodeURIComponent(key)}/undo`
    const undone = await withRetries(() => callApi(path, answerUndone, { method: 'POST' }))
    await show(reference, undone, { draft: undone.text, pendingAnswer: null })
    return undone.text
  } finally {
    release()
  }
}

const post = (reference: string, text: string) =>
  callApi(`${pathOf(reference)}/answers`, answerQueued, {
    method: 'POST',
    body: {
      text,
      key: answerKeys.keyFor(reference, text),
      version: findRow(reference)?.version ?? 0,
    },
  })

async function show(
  reference: string,
  status: Parameters<typeof adopt>[1],
  change: Pick<LeadDetail, 'draft' | 'pendingAnswer'>,
) {
  await dropReads(reference)
  adopt(reference, status)
  rememberDraft(reference, change.draft)
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, ...change })
}

/** Retries are safe, because the key identifies the answer. */
async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error) || !isWorthRetrying(retries, error)) throw error
      await new Promise((done) => setTimeout(done, retryInMs(retries, error)))
    }
  }
}
