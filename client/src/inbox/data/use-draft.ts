import { useEffect, useSyncExternalStore } from 'react'
import type { DraftState } from './draft-saver.ts'
import { draftOf } from './drafts.ts'

/**
 * Saves an unfinished answer on the server 500 ms after the last keystroke, and when the page is closed or the
 * component unmounts. Call `save` on every input. `useSendAnswer` ends the draft.
 */
export function useDraft(reference: string): { state: DraftState; save: (text: string) => void } {
  const { state, change, flush } = draftOf(reference)
  useEffect(() => {
    // Phones can end a hidden page without any further event.
    const onHidden = () => document.visibilityState === 'hidden' && flush()
    document.addEventListener('visibilitychange', onHidden)
    window.addEventListener('pagehide', flush)
    return () => {
      document.removeEventListener('visibilitychange', onHidden)
      window.removeEventListener('pagehide', flush)
      flush()
    }
  }, [flush])
  return { state: useSyncExternalStore(state.subscribe, state.get, state.get), save: change }
}
