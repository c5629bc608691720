import { type RefObject, useEffect, useState, useSyncExternalStore } from 'react'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import type { DraftState } from './draft-saver.ts'
import { draftOf, startDraft } from './drafts.ts'
import { keys, queryClient } from './query-client.ts'

type UseDraft = {
  /** The text that the text box starts with. */
  start: string
  state: DraftState
  isTouched: boolean
  /** Whether text from another device was added. */
  isAdded: boolean
  /** Call this on every `input` event. */
  save: () => void
}

/**
 * Saves an unfinished answer on the server 500 ms after the last keystroke, and when the page is closed or the
 * component unmounts. Whenever the lead is read again, an untouched text box shows what another device has saved.
 * Once `useSendAnswer` has sent the answer, its draft is no longer saved.
 */
export function useDraft(lead: LeadDetail, box: RefObject<HTMLTextAreaElement | null>): UseDraft {
  const { reference, draft: stored } = lead
  const { state, received, change, flush } = draftOf(reference)
  const [start] = useState(() => startDraft(lead))
  const [isTouched, setTouched] = useState(false)
  const [isAdded, setAdded] = useState(false)

  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: keys.lead(reference) }, { cancelRefetch: false })
  }, [reference])

  useEffect(() => {
    if (!isTouched) show(box.current, startDraft(lead))
  }, [stored])

  useEffect(
    () =>
      received.subscribe(() => {
        const { text, isAdded: isFromOther } = received.get() ?? {}
        if (text !== undefined) show(box.current, text)
        if (isFromOther) setAdded(true)
      }),
    [received, box],
  )

  useEffect(() => {
    // Save as soon as the page is hidden, because phones can end a hidden page without any further event.
    const onHidden = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHidden)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])

  const save = () => {
    setTouched(true)
    change(box.current?.value ?? '')
  }
  return {
    start,
    state: useSyncExternalStore(state.subscribe, state.get, state.get),
    isTouched,
    isAdded,
    save,
  }
}

/** Sets the text without moving the cursor. */
function show(box: HTMLTextAreaElement | null, text: string) {
  if (!box || box.value === text) return
  const { selectionStart, selectionEnd } = box
  box.value = text
  box.setSelectionRange(selectionStart, selectionEnd)
}
