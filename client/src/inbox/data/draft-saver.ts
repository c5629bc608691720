import { createSignal } from './signal.ts'

export type DraftState = 'saved' | 'saving' | 'unsaved'
export type DraftSaver = ReturnType<typeof createDraftSaver>

type Deps = {
  save: (text: string, options: { keepalive: boolean }) => Promise<unknown>
  retryInMs: (retries: number) => number
}

const PAUSE_MS = 500

/** Saves a text after a pause in typing: one request at a time, so that an older text never replaces a newer one. */
export function createDraftSaver({ save, retryInMs }: Deps) {
  const state = createSignal<DraftState>('saved')
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
    underWay = save(text, { keepalive }).then(
      () => {
        retries = 0
      },
      () => {
        unsaved = true
      },
    )
    const hasFailed = await underWay.then(() => unsaved)
    underWay = undefined
    state.set(unsaved ? 'unsaved' : 'saved')
    if (unsaved) later(hasFailed && retries++ > 0 ? retryInMs(retries) : PAUSE_MS)
  }

  return {
    state,
    change(next: string) {
      text = next
      unsaved = true
      state.set('unsaved')
      later(PAUSE_MS)
    },
    /** Call this when the page goes away. */
    flush: () => void saveNow(true),
    /** Stops saving and waits for what is under way, which could otherwise arrive after the answer. */
    async hold() {
      isHeld = true
      clearTimeout(timer)
      await underWay
    },
    /** The answer was not sent: saves what is unsaved. */
    release() {
      isHeld = false
      if (unsaved) later(PAUSE_MS)
    },
    /** The answer was sent: there is no draft anymore. */
    discard() {
      isHeld = false
      unsaved = false
      clearTimeout(timer)
      state.set('saved')
    },
  }
}
