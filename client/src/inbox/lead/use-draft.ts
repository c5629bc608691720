import { skipToken, useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import {
  addToDraft,
  changeDraft,
  type Draft,
  forgetDraft,
  forgetSaved,
  saveDraft,
  unsavedText,
} from '../data/draft.ts'
import { patchLead } from '../data/queries.ts'
import { keys, queryClient } from '../data/query-client.ts'

const PAUSE_MS = 500
const RETRY_MS = 2_000

/**
 * The text of an unfinished answer: what was typed, or else the stored draft, or else a template. Saves it half a second
 * after the last key, and when the page is hidden or the sheet is closed. With `isOnHold`, nothing is saved.
 */
export function useDraft(lead: LeadDetail, isOnHold: boolean) {
  const { reference } = lead
  // If the text is saved, another device may have written more since.
  useState(() => forgetSaved(reference))
  const key = keys.typed('answer', reference)
  const draft = useQuery<Draft | null>({ queryKey: key, queryFn: skipToken }).data
  const { mutate, isPending, error, failureCount, variables } = useMutation({
    scope: { id: reference },
    mutationFn: (text: string) => saveDraft(reference, text),
    // An answer waits for its draft to be saved, but not until a lost connection returns.
    retry: (_, { isTransient }) => isTransient && queryClient.isMutating({ mutationKey: keys.change }) === 0,
    retryDelay: RETRY_MS,
    onError: ({ draft: theirs }) => theirs !== undefined && addToDraft(reference, { theirs }),
  })
  const unsaved = unsavedText(reference)
  const rejection =
    error && !error.isTransient && error.status !== 401 && variables === unsaved ? error : null

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
      forgetDraft(reference)
    },
    keepMine: () => addToDraft(reference, { base: draft?.theirs ?? null, theirs: undefined }),
  }
}
