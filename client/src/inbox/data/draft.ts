import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { v4 as randomUuid } from 'uuid'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { answerUndone } from '#shared/inbox/lead-changes.ts'
import { type ApiError, anything, callApi, post } from './api.ts'
import {
  changeTo,
  fetchedLead,
  isWorthRetrying,
  keys,
  leadQuery,
  patchLead,
  pathOf,
  queryClient,
  refresh,
} from './queries.ts'

// Browsers limit requests that outlive their page to 64 KiB in total.
// A character can take several bytes.
const MAX_KEEPALIVE_CHARACTERS = 15_000

/** An answer that an owner is writing. Kept while the page is open, even if the sheet is closed. */
export type Draft = {
  text: string
  /** The stored draft that the text is based on. */
  base: string | null
  /**
   * The text of the latest attempt to save the draft, which may have
   * been stored although its response was lost.
   */
  sent?: string
  /**
   * What another device has stored since. Nothing is saved until the
   * owner has chosen one of the two texts.
   */
  theirs?: string | undefined
  /**
   * The latest attempt to send the answer, which may have been stored
   * although its response was lost.
   */
  attempt?: { content: string; key: string } | undefined
}

const readDraft = (reference: string) =>
  queryClient.getQueryData<Draft | null>(keys.typed('answer', reference))

export function changeDraft(reference: string, change: (draft: Draft | null) => Draft | null) {
  const key = keys.typed('answer', reference)
  queryClient.setQueryData<Draft | null>(key, (draft) => change(draft ?? null))
}

const addToDraft = (reference: string, news: Partial<Draft>) =>
  changeDraft(reference, (draft) => draft && { ...draft, ...news })

/** Call this if the text was sent. What was typed since then is kept as another draft. */
export const forgetSent = (reference: string, sent: string): void =>
  changeDraft(reference, (draft) => (draft && draft.text !== sent ? { text: draft.text, base: null } : null))

/** Forgets what was typed, if it is saved, unless it may have been sent. */
const forgetSaved = (reference: string): void =>
  changeDraft(reference, (draft) => (draft?.text === draft?.base && !draft?.attempt ? null : draft))

/**
 * The idempotency key of an answer: the same text with the same files to the same address keeps it
 * until the server has stored or refused it.
 */
export function keyOfAnswer(
  { reference, draft: base }: LeadDetail,
  { text, to, files }: { text: string; to: string; files: string[] },
): string {
  const content = [to, ...files, text].join('\n')
  const last = readDraft(reference)?.attempt
  const key = last?.content === content ? last.key : randomUuid()
  changeDraft(reference, (draft) => ({ ...(draft ?? { base }), text, attempt: { content, key } }))
  return key
}

/** After this, the same text gets another key. */
export const forgetKey = (reference: string): void => addToDraft(reference, { attempt: undefined })

/** The text that was typed and isn't saved. */
export function unsavedText(reference: string): string | undefined {
  const { text, base, theirs } = readDraft(reference) ?? {}
  return theirs === undefined && text !== base ? text : undefined
}

/** The stored draft that the typed text is based on. */
export const baseOf = (reference: string): string | null =>
  (readDraft(reference) ?? { base: fetchedLead(reference)?.draft ?? null }).base

/**
 * Saves a draft. Throws `ApiError`, with `draft` if another device has saved something else since.
 */
export async function keepDraft(reference: string, text: string): Promise<void> {
  const draft = readDraft(reference)
  if (!draft) return
  const put = (base: string | null, version: number) =>
    callApi(`${pathOf(reference)}/draft`, anything, {
      method: 'PUT',
      body: { text, base, version },
      keepalive: text.length + (base?.length ?? 0) <= MAX_KEEPALIVE_CHARACTERS,
    })
  addToDraft(reference, { sent: text })
  await put(draft.base, fetchedLead(reference)?.version ?? 0).catch((error: ApiError) => {
    const { current, draft: stored } = error
    if (!current || (stored !== undefined && stored !== draft.sent)) throw error
    // If another owner has changed the lead, the draft is saved anyway:
    // the sheet says what has changed before the answer is sent.
    void refresh()
    return put(stored ?? draft.base, current.version)
  })
  addToDraft(reference, { base: text })
  patchLead(reference, { draft: text, hasDraft: text.trim() !== '' })
}

/**
 * The options of a mutation that undoes the queued answer with a
 * given key. The lead's draft then begins with its text.
 */
export const takeBackAnswer = (reference: string) => ({
  ...changeTo(reference),
  retry: isWorthRetrying,
  async mutationFn(key: string) {
    // Saves the draft first, because the server adds it to the undone answer. If
    // that fails, the typed text stays unsaved: the answer must be undone in time.
    const unsaved = unsavedText(reference)
    if (unsaved !== undefined) await keepDraft(reference, unsaved).catch(() => {})
    const path = `${pathOf(reference)}/answers/${encodeURIComponent(key)}/undo`
    const { text, ...status } = await post(path, answerUndone)
    patchLead(reference, { ...status, draft: text, hasDraft: true, pendingAnswer: null })
    forgetSaved(reference)
    // The sheet that opens now must not show the text without the files.
    await queryClient.fetchQuery({ ...leadQuery(reference), staleTime: 0, retry: false }).catch(() => {})
  },
})

const PAUSE_MS = 500
const RETRY_MS = 2_000

/**
 * The text of an unfinished answer: what was typed, or else the stored draft,
 * or else a template. Saves it half a second after the last key, and when the
 * page is hidden or the sheet is closed. With `isOnHold`, nothing is saved.
 */
export function useDraft(lead: LeadDetail, isOnHold: boolean) {
  const { reference } = lead
  // If the text is saved, another device may have written more since.
  useState(() => forgetSaved(reference))
  const key = keys.typed('answer', reference)
  const draft = useQuery<Draft | null>({ queryKey: key, queryFn: skipToken }).data
  const { mutate, isPending, error, failureCount, variables } = useMutation({
    scope: { id: reference },
    mutationFn: (text: string) => keepDraft(reference, text),
    // An answer waits for its draft to be saved, but not until a lost connection returns.
    retry: (_, { isTransient }) => isTransient && queryClient.isMutating({ mutationKey: keys.change }) === 0,
    retryDelay: RETRY_MS,
    onError: ({ draft: theirs }) => theirs !== undefined && addToDraft(reference, { theirs }),
  })
  const unsaved = unsavedText(reference)
  const isRejected = error && !error.isTransient && error.status !== 401 && error.draft === undefined
  const rejection = isRejected && variables === unsaved ? error : null

  useEffect(() => {
    if (unsaved === undefined || isPending || isOnHold || rejection) return
    const timer = setTimeout(mutate, PAUSE_MS, unsaved)
    return () => clearTimeout(timer)
  }, [unsaved, isPending, isOnHold, rejection, mutate])

  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: keys.lead(reference) }, { cancelRefetch: false })
    const flush = () => {
      const text = unsavedText(reference)
      if (text !== undefined) mutate(text)
    }
    // Phones can end a hidden page without any further event.
    const onHidden = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHidden)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [reference, mutate])

  const isSaved = draft?.text === draft?.base
  const words = isSaved
    ? 'Draft saved'
    : failureCount > 0
      ? 'The draft is not saved yet'
      : 'Saving the draft…'
  return {
    text: draft?.text ?? lead.draft ?? lead.template,
    theirs: draft?.theirs,
    /** What to say about the draft. Undefined until something was typed. */
    status: draft && (rejection?.message ?? words),
    change: (text: string) =>
      changeDraft(reference, (before) => ({ ...(before ?? { base: lead.draft }), text })),
    takeTheirs() {
      patchLead(reference, { draft: draft?.theirs ?? null })
      changeDraft(reference, () => null)
    },
    keepMine: () => addToDraft(reference, { base: draft?.theirs ?? null, theirs: undefined }),
  }
}
