import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDraftSaver } from './draft-saver.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const tooLong = new Error('too long')

/** A fake server that responds when the test says so. */
function setUp() {
  const saved: { text: string; keepalive: boolean; answer: (error?: Error) => void }[] = []
  const saver = createDraftSaver({
    isRejected: (error) => error === tooLong,
    save: (text, { keepalive }) =>
      new Promise<void>((resolve, reject) =>
        saved.push({
          text,
          keepalive,
          answer: (error) => (error ? reject(error) : resolve()),
        }),
      ),
    retryInMs: () => 4000,
  })
  const answer = (isStored = true, error = new Error('no')) => {
    saved.at(-1)?.answer(isStored ? undefined : error)
    return vi.advanceTimersByTimeAsync(0)
  }
  return { saver, saved, answer, texts: () => saved.map(({ text }) => text) }
}

test('text is saved half a second after the last keystroke', () => {
  const { saver, texts } = setUp()
  saver.change('H')
  vi.advanceTimersByTime(400)
  saver.change('He')
  vi.advanceTimersByTime(499)
  expect(texts()).toEqual([])

  vi.advanceTimersByTime(1)

  expect(texts()).toEqual(['He'])
})

test('the saver says whether the text is unsaved, being saved, or saved', async () => {
  const { saver, answer } = setUp()
  const states = [saver.state.get()]
  saver.state.subscribe(() => states.push(saver.state.get()))

  saver.change('H')
  vi.advanceTimersByTime(500)
  await answer()

  expect(states).toEqual(['saved', 'unsaved', 'saving', 'saved'])
})

test('newer text is not saved until the previous save has finished', async () => {
  const { saver, texts, answer } = setUp()
  saver.change('old')
  vi.advanceTimersByTime(500)
  saver.change('new')
  vi.advanceTimersByTime(5000)
  expect(texts()).toEqual(['old'])

  await answer()
  vi.advanceTimersByTime(500)

  expect(texts()).toEqual(['old', 'new'])
})

test('if the server rejects text as too long, saving is not retried until the text changes', async () => {
  const { saver, texts, answer } = setUp()
  saver.change('too long')
  vi.advanceTimersByTime(500)

  await answer(false, tooLong)
  await vi.advanceTimersByTimeAsync(60_000)

  expect([saver.state.get(), texts(), saver.unsavedText()]).toEqual(['rejected', ['too long'], 'too long'])
  saver.change('short')
  await vi.advanceTimersByTimeAsync(500)
  await answer()
  expect([saver.state.get(), texts()]).toEqual(['saved', ['too long', 'short']])
})

test('a failed save is retried with the latest text', async () => {
  const { saver, texts, answer } = setUp()
  saver.change('old')
  vi.advanceTimersByTime(500)
  saver.change('new')

  await answer(false)
  await vi.advanceTimersByTimeAsync(500)
  await answer(false)
  expect(saver.state.get()).toBe('unsaved')
  await vi.advanceTimersByTimeAsync(4000)

  expect(texts()).toEqual(['old', 'new', 'new'])
})

test('the text is saved at once when the page is closed', () => {
  const { saver, saved } = setUp()
  saver.change('H')

  saver.flush()

  expect(saved).toMatchObject([{ text: 'H', keepalive: true }])
})

test('text that has not changed is not saved again', async () => {
  const { saver, texts, answer } = setUp()
  saver.change('H')
  saver.flush()
  await answer()

  saver.flush()

  expect(texts()).toEqual(['H'])
})

test('once the reply has been sent, its draft is no longer saved', async () => {
  const { saver, texts, answer } = setUp()
  saver.change('first')
  vi.advanceTimersByTime(500)
  saver.change('second')
  const quiet = vi.fn()
  const held = saver.hold().then(quiet)
  await vi.advanceTimersByTimeAsync(1000)
  expect(quiet).not.toHaveBeenCalled()

  await answer()
  await held
  saver.discard()
  await vi.advanceTimersByTimeAsync(10_000)

  expect([texts(), saver.state.get()]).toEqual([['first'], 'saved'])
})

test('if the reply cannot be sent, its draft is saved', async () => {
  const { saver, texts } = setUp()
  saver.change('H')
  await saver.hold()
  vi.advanceTimersByTime(1000)

  saver.release()
  vi.advanceTimersByTime(500)

  expect(texts()).toEqual(['H'])
})
