import type { LeadDetail } from '#shared/inbox/lead.ts'
import { ApiError, anything, callApi } from './api.ts'
import { adopt } from './change-lead.ts'
import { createDraftSaver, type DraftSaver } from './draft-saver.ts'
import { findRow, pathOf } from './lead-cache.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'
import { refresh } from './refresh-page.ts'

// Browsers limit requests that outlive their page to 64 KiB in total. A character can take several bytes.
const MAX_KEEPALIVE_CHARACTERS = 15_000

type Draft = {
  saver: DraftSaver
  /** The stored draft that the text is based on. */
  base: string | null
  /** Drafts that may have been stored, although the attempts to save them seemed to fail. */
  unconfirmed: string[]
}

// Drafts outlive their component: saving continues after the owner has moved to another lead.
const drafts = new Map<string, Draft>()

function find(reference: string): Draft {
  const known = drafts.get(reference)
  if (known) return known
  const saver = createDraftSaver({
    save: (text, options) => saveDraft(reference, text, options),
    // Both statuses mean that the text is too long.
    isRejected: (error) => error instanceof ApiError && (error.status === 400 || error.status === 413),
    retryInMs: (retries) => retryInMs(retries, new ApiError(0, '')),
  })
  const draft = { saver, base: null, unconfirmed: [] }
  drafts.set(reference, draft)
  return draft
}

/** The saver of this lead's unfinished answer: always the same one for a lead. */
export const draftOf = (reference: string): DraftSaver => find(reference).saver

/** Call this when another owner has signed in. */
export function forgetDrafts(): void {
  for (const { saver } of drafts.values()) saver.discard()
  drafts.clear()
}

/** The text that an answer starts with: unsaved text, or else the stored draft, or else the template. */
export function startDraft({ reference, draft, template }: LeadDetail): string {
  const unsaved = draftOf(reference).unsavedText()
  if (unsaved !== undefined) return unsaved
  setBase(reference, draft)
  return draft ?? template
}

/**
 * Shows a stored draft in the text box. If the box has unsaved text, saving that text will cause a conflict,
 * which appends the draft.
 */
export function loadDraft(reference: string, stored: string): void {
  rememberDraft(reference, stored)
  if (draftOf(reference).load(stored)) setBase(reference, stored)
}

/** The stored draft that the text is based on. */
export const baseOf = (reference: string): string | null => find(reference).base

/** Call this if the answer was sent. */
export function endDraft(reference: string): void {
  draftOf(reference).discard()
  setBase(reference, null)
  rememberDraft(reference, null)
}

function setBase(reference: string, base: string | null): void {
  Object.assign(find(reference), { base, unconfirmed: [] })
}

async function saveDraft(reference: string, text: string, { keepalive }: { keepalive: boolean }) {
  const draft = find(reference)
  try {
    await callApi(`${pathOf(reference)}/draft`, anything, {
      method: 'PUT',
      body: { text, base: draft.base, version: findRow(reference)?.version ?? 0 },
      keepalive: keepalive && text.length <= MAX_KEEPALIVE_CHARACTERS,
    })
    setBase(reference, text)
    rememberDraft(reference, text)
  } catch (error) {
    if (error instanceof ApiError) learnFrom(error, reference, text)
    throw error
  }
}

/** Updates what the saver's next attempt sends, according to the error. */
function learnFrom({ isTransient, current, draft: stored }: ApiError, reference: string, text: string) {
  const draft = find(reference)
  if (isTransient) draft.unconfirmed.push(text)
  // Adopting the lead's new version can't hide another owner's change: only the draft is saved with it, and the reply sheet
  // says what has changed before the owner sends the answer.
  if (current) {
    adopt(reference, current)
    refresh.now()
  }
  if (stored === undefined) return
  if (draft.unconfirmed.includes(stored) || draft.saver.append(stored)) setBase(reference, stored)
}

/** Sets what the text box starts with the next time the owner replies. */
function rememberDraft(reference: string, draft: string | null): void {
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, draft })
}
