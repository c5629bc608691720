import type * as z from 'zod/mini'
import { answerQueued, answerUndone, type LeadDetail } from '#shared/inbox/lead.ts'
import { ApiError, callApi } from './api.ts'
import { adopt } from './change-lead.ts'
import { baseOf, draftOf, endDraft, loadDraft } from './drafts.ts'
import { dropReads, pathOf } from './lead-cache.ts'
import { keys, queryClient } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { createTextKeys } from './text-keys.ts'
import { withRetries } from './with-retries.ts'

export type QueuedAnswer = z.infer<typeof answerQueued>
/** `version`: the version of the lead that the owner has seen. `to`: a corrected address of the person. */
export type NewAnswer = { text: string; version: number; to?: string }

const answerKeys = createTextKeys()

/** Queues an answer, and retries if the response is lost. Throws `ApiError`. */
export async function sendAnswer(reference: string, answer: NewAnswer): Promise<QueuedAnswer> {
  const draft = draftOf(reference)
  const release = refresh.hold()
  try {
    await draft.hold()
    const queued = await withRetries(() => post(reference, answer))
    answerKeys.forget(reference)
    endDraft(reference)
    await show(reference, queued, queued)
    return queued
  } catch (error) {
    draft.release()
    // After a 409, this key can't be used again: the server has refused the answer or could not deliver it, or an owner has
    // undone it.
    if (error instanceof ApiError && error.status === 409) answerKeys.forget(reference)
    if (error instanceof ApiError && error.current) adopt(reference, error.current)
    throw error
  } finally {
    release()
  }
}

/**
 * Undoes a queued answer, and retries if the response is lost. Returns the new draft, which starts with the answer's text.
 * Throws `ApiError`.
 */
export async function undoAnswer(reference: string, key: string): Promise<string> {
  const release = refresh.hold()
  try {
    // Saves the draft first, because the server combines it with the undone answer.
    await draftOf(reference).settle()
    const path = `${pathOf(reference)}/answers/${encodeURIComponent(key)}/undo`
    const undone = await withRetries(() => callApi(path, answerUndone, { method: 'POST' }))
    await show(reference, undone, null)
    loadDraft(reference, undone.text)
    return undone.text
  } finally {
    release()
  }
}

const post = (reference: string, { text, version, to }: NewAnswer) =>
  callApi(`${pathOf(reference)}/answers`, answerQueued, {
    method: 'POST',
    body: {
      text,
      // The same text to another address is another answer.
      key: answerKeys.keyFor(reference, to === undefined ? text : `${to}\n${text}`),
      base: baseOf(reference),
      version,
      ...(to !== undefined && { to }),
    },
  })

async function show(
  reference: string,
  status: Parameters<typeof adopt>[1],
  pendingAnswer: LeadDetail['pendingAnswer'],
) {
  await dropReads(reference)
  adopt(reference, status)
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, pendingAnswer })
}
