import type { LeadDetail } from '#shared/inbox/lead.ts'
import { ApiError, anything, callApi } from './api.ts'
import { adopt } from './change-lead.ts'
import { createDraftSaver, type DraftSaver } from './draft-saver.ts'
import { findRow, pathOf } from './lead-cache.ts'
import { keys, queryClient, retryInMs } from './query-client.ts'

// Browsers limit requests that outlive their page to 64 KiB in total.
const MAX_KEEPALIVE_CHARACTERS = 15_000

// Savers outlive their component: saving goes on after the owner has moved to another lead.
const savers = new Map<string, DraftSaver>()

/** The only saver of this lead's unfinished answer. */
export function draftOf(reference: string): DraftSaver {
  const known = savers.get(reference)
  if (known) return known
  const saver = createDraftSaver({
    save: (text, options) => saveDraft(reference, text, options),
    retryInMs: (retries) => retryInMs(retries, new ApiError(0, '')),
  })
  savers.set(reference, saver)
  return saver
}

/** Call this when another owner has signed in, or nobody is signed in. */
export function forgetDrafts(): void {
  for (const saver of savers.values()) saver.discard()
  savers.clear()
}

/** Saves a draft. If somebody has changed the lead in the meantime, saves it again for the new version. */
async function saveDraft(
  reference: string,
  text: string,
  options: { keepalive: boolean },
  version = findRow(reference)?.version ?? 0,
): Promise<void> {
  try {
    await callApi(`${pathOf(reference)}/draft`, anything, {
      method: 'PUT',
      body: { text, version },
      keepalive: options.keepalive && text.length <= MAX_KEEPALIVE_CHARACTERS,
    })
    rememberDraft(reference, text)
  } catch (error) {
    const current = error instanceof ApiError ? error.current : undefined
    if (!current || current.version === version) throw error
    adopt(reference, current)
    await saveDraft(reference, text, options, current.version)
  }
}

/** Sets what the text box starts with when the lead is opened again. */
export function rememberDraft(reference: string, draft: string | null): void {
  queryClient.setQueryData<LeadDetail>(keys.lead(reference), (lead) => lead && { ...lead, draft })
}
