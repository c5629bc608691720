export type DraftState = 'saved' | 'saving' | 'unsaved'

/**
 * Keeps an unfinished answer on the server: 500 ms after the last keystroke, and when the page goes away. Call `save` on
 * every input, and `discard` when the text has been sent.
 */
export function useDraft(_reference: string): {
  state: DraftState
  save: (text: string) => void
  discard: () => void
} {
  throw new Error('not built')
}
