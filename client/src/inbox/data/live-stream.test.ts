import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLiveStream } from './live-stream.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

class FakeSource extends EventTarget {
  isClosed = false
  close() {
    this.isClosed = true
  }
  emit(event: string) {
    this.dispatchEvent(new Event(event))
  }
}

function setUp() {
  const sources: FakeSource[] = []
  const page = { isWanted: true }
  const deps = { onOpen: vi.fn(), onChange: vi.fn(), onRefused: vi.fn(), retryInMs: vi.fn(() => 1000) }
  const stream = createLiveStream({
    ...deps,
    isWanted: () => page.isWanted,
    openSource: () => {
      const source = new FakeSource()
      sources.push(source)
      return source
    },
  })
  const last = () => sources.at(-1) as FakeSource
  const openNow = () => {
    stream.check()
    last().emit('open')
  }
  return { ...deps, stream, sources, page, last, openNow }
}

test('when a stream opens, the page fetches what it may have missed', () => {
  const { stream, last, onOpen } = setUp()
  stream.check()
  expect(stream.isOpen.get()).toBe(false)

  last().emit('open')

  expect(stream.isOpen.get()).toBe(true)
  expect(onOpen).toHaveBeenCalledOnce()
})

test('a change event calls onChange', () => {
  const { openNow, last, onChange } = setUp()
  openNow()

  last().emit('change')

  expect(onChange).toHaveBeenCalledOnce()
})

test('after 35 seconds without a ping, a new stream is opened', () => {
  const { stream, openNow, sources } = setUp()
  openNow()

  vi.advanceTimersByTime(34_999)
  expect(stream.isOpen.get()).toBe(true)
  vi.advanceTimersByTime(1)
  expect(stream.isOpen.get()).toBe(false)
  vi.advanceTimersByTime(1000)

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('pings and changes keep a stream open', () => {
  const { stream, openNow, sources, last } = setUp()
  openNow()

  for (const event of ['ping', 'change', 'ping']) {
    vi.advanceTimersByTime(30_000)
    last().emit(event)
  }

  expect([stream.isOpen.get(), sources.length]).toEqual([true, 1])
})

test('opening a stream times out after ten seconds', () => {
  const { stream, sources } = setUp()
  stream.check()

  vi.advanceTimersByTime(11_000)

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('the retry delay grows with each failure, and is reset by a stream that stays open', () => {
  const { stream, last, retryInMs } = setUp()
  stream.check()
  for (let count = 0; count < 3; count++) {
    last().emit('error')
    vi.advanceTimersByTime(1000)
  }
  last().emit('open')
  vi.advanceTimersByTime(34_000)
  last().emit('ping')
  vi.advanceTimersByTime(2000)

  last().emit('error')

  expect(retryInMs.mock.calls.flat()).toEqual([0, 1, 2, 0])
})

test('the retry delay also grows if the server ends each stream as soon as it opens', () => {
  const { stream, last, retryInMs } = setUp()
  stream.check()

  for (let count = 0; count < 3; count++) {
    last().emit('open')
    last().emit('error')
    vi.advanceTimersByTime(1000)
  }

  expect(retryInMs.mock.calls.flat()).toEqual([0, 1, 2])
})

test('the session is checked after a rejected stream or an end event, but not after a lost connection', () => {
  const { stream, openNow, last, onRefused } = setUp()
  stream.check()
  last().emit('error')
  expect(onRefused).toHaveBeenCalledTimes(1)
  openNow()
  last().emit('error')
  expect(onRefused).toHaveBeenCalledTimes(1)
  openNow()

  last().emit('end')

  expect(onRefused).toHaveBeenCalledTimes(2)
})

test('a hidden page has no stream, and opens one as soon as it becomes visible', () => {
  const { stream, openNow, page, sources } = setUp()
  openNow()

  page.isWanted = false
  stream.check()
  vi.advanceTimersByTime(100_000)
  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true])
  page.isWanted = true
  stream.check()

  expect(sources).toHaveLength(2)
})

test('a change of network opens a new stream, even if the old one seems open', () => {
  const { stream, openNow, sources } = setUp()
  openNow()

  stream.renew()

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('events from an old stream are ignored', () => {
  const { stream, openNow, sources, onChange } = setUp()
  openNow()
  stream.renew()

  sources[0]?.emit('change')
  sources[0]?.emit('error')

  expect(onChange).not.toHaveBeenCalled()
  expect(sources[1]?.isClosed).toBe(false)
})
