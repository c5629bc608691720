import { createSignal } from './signal.ts'

/** `rejected`: saving this text again would fail again. */
export type DraftState = 'saved' | 'saving' | 'unsaved' | 'rejected'
export type DraftSaver = ReturnType<typeof createDraftSaver>

type Deps = {
  save: (text: string, options: { keepalive: boolean }) => Promise<unknown>
  isRejected: (error: unknown) => boolean
  retryInMs: (retries: number) => number
}

const PAUSE_MS = 500

/** Saves text after a pause in typing. Sends one request at a time, so that older text never replaces newer text. */
export function createDraftSaver({ save, isRejected, retryInMs }: Deps) {
  const state = createSignal<DraftState>('saved')
  /** Text that the text box must show, because it wasn't typed there. */
  const received = createSignal<{ text: string; isAdded: boolean } | undefined>(undefined)
  let text = ''
  let unsaved = false
  let isHeld = false
  let retries = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let underWay: Promise<void> | undefined

  function later(ms: number) {
    clearTimeout(timer)
    if (!isHeld) timer = setTimeout(saveNow, ms)
  }

  async function saveNow(keepalive = false) {
    clearTimeout(timer)
    if (underWay || !unsaved || isHeld) return
    unsaved = false
    state.set('saving')
    const saved = text
    let error: unknown
    underWay = save(text, { keepalive }).then(
      () => {
        retries = 0
      },
      (reason: unknown) => {
        error = reason
        unsaved = true
      },
    )
    await underWay
    underWay = undefined
    if (text === saved && isRejected(error)) return state.set('rejected')
    state.set(unsaved ? 'unsaved' : 'saved')
    if (unsaved) later(error && retries++ > 0 ? retryInMs(retries) : PAUSE_MS)
  }

  return {
    state,
    received,
    /** The latest text, or undefined if it is saved. */
    unsavedText: () => (unsaved || underWay ? text : undefined),
    change(next: string) {
      text = next
      unsaved = true
      state.set('unsaved')
      later(PAUSE_MS)
    },
    /** Saves at once. Call this when the page is closed. */
    flush: () => void saveNow(true),
    /** Waits for the save in progress, if any, then saves unsaved text and waits for that too. */
    async settle() {
      await underWay
      await saveNow()
    },
    /** Makes the text box show what the server has stored. Returns false if there is unsaved text. */
    load(stored: string): boolean {
      if (unsaved || underWay) return false
      received.set({ text: stored, isAdded: false })
      return true
    },
    /** Adds what another device has stored. Returns false if an answer is being sent, because it is too late to add text. */
    append(stored: string): boolean {
      if (isHeld) return false
      text = `${text}\n\n${stored}`
      unsaved = true
      received.set({ text, isAdded: true })
      return true
    },
    /** Stops saving and waits for the request in progress, which could otherwise arrive after the answer. */
    async hold() {
      isHeld = true
      clearTimeout(timer)
      await underWay
    },
    /** Call this if the answer was not sent. Saves unsaved text. */
    release() {
      isHeld = false
      if (unsaved) later(PAUSE_MS)
    },
    /** Call this if the answer was sent: its text is no longer a draft. */
    discard() {
      isHeld = false
      unsaved = false
      clearTimeout(timer)
      state.set('saved')
    },
  }
}
