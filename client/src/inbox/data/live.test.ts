import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepStreamOpen } from './live.ts'

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
  const deps = {
    onOpen: vi.fn(),
    onLost: vi.fn(),
    onChange: vi.fn(),
    onEnd: vi.fn(),
    retryInMs: vi.fn(() => 1000),
  }
  const connect = () => {
    const source = new FakeSource()
    sources.push(source)
    return source
  }
  const close = keepStreamOpen({ ...deps, connect })
  return { ...deps, close, sources, emit: (event: string) => sources.at(-1)?.emit(event) }
}

test('when a stream opens, and after each change, the page is told to fetch what it may have missed', () => {
  const { emit, onOpen, onChange } = setUp()
  expect(onOpen).not.toHaveBeenCalled()

  emit('open')
  emit('change')

  expect(onOpen).toHaveBeenCalledOnce()
  expect(onChange).toHaveBeenCalledOnce()
})

test('after ten seconds without a connection, another one is tried', () => {
  const { sources } = setUp()

  vi.advanceTimersByTime(11_000)

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('after 35 seconds without a ping, a stream is lost, and a new one is opened', () => {
  const { emit, onLost, sources } = setUp()
  emit('open')

  vi.advanceTimersByTime(34_999)
  expect(onLost).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(onLost).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1000)

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('the retry delay grows with each failure, and is reset by a stream that stays open', () => {
  const { emit, retryInMs } = setUp()
  for (let count = 0; count < 3; count++) {
    emit('open')
    emit('error')
    vi.advanceTimersByTime(1000)
  }
  emit('open')
  vi.advanceTimersByTime(34_000)
  emit('ping')
  vi.advanceTimersByTime(2000)

  emit('error')
  vi.advanceTimersByTime(1000)
  emit('error')

  expect(retryInMs.mock.calls.flat()).toEqual([0, 1, 2, 0, 1])
})

test('when the session has ended, the page checks it', () => {
  const { emit, onEnd, onLost } = setUp()
  emit('open')

  emit('end')

  expect([onEnd, onLost].map(({ mock }) => mock.calls.length)).toEqual([1, 1])
})
