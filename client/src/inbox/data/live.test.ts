import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepStreamOpen } from './live.ts'
import { keys, queryClient } from './queries.ts'

let sources: FakeSource[]

class FakeSource extends EventTarget {
  isClosed = false
  constructor() {
    super()
    sources.push(this)
  }
  close() {
    this.isClosed = true
  }
}

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  vi.stubGlobal('EventSource', FakeSource)
  sources = []
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

function setUp() {
  const onState = vi.fn()
  const onNews = vi.fn()
  keepStreamOpen(onState, onNews)
  return { onState, onNews, emit: (event: string) => sources.at(-1)?.dispatchEvent(new Event(event)) }
}

/** Milliseconds until another stream is opened. */
function passTimeUntilNext(): number {
  const before = Date.now()
  vi.advanceTimersToNextTimer()
  return Date.now() - before
}

test('when a stream opens, and after each change, the page is told to fetch what it may have missed', () => {
  const { emit, onState, onNews } = setUp()
  expect(onNews).not.toHaveBeenCalled()

  emit('open')
  expect(onState.mock.calls).toEqual([['open']])
  expect(onNews).toHaveBeenCalledTimes(1)
  emit('change')

  expect(onNews).toHaveBeenCalledTimes(2)
})

test('after ten seconds without a connection, another one is tried', () => {
  setUp()

  vi.advanceTimersByTime(12_000)

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('after 35 seconds without a ping, a stream is lost, and a new one is opened', () => {
  const { emit, onState } = setUp()
  emit('open')

  vi.advanceTimersByTime(34_999)
  expect(onState).toHaveBeenCalledOnce()
  vi.advanceTimersByTime(1)
  expect(onState).toHaveBeenLastCalledWith('lost')
  passTimeUntilNext()

  expect(sources.map(({ isClosed }) => isClosed)).toEqual([true, false])
})

test('the retry delay grows with each failure, and is reset by a stream that stays open', () => {
  const { emit } = setUp()
  const lose = () => {
    emit('error')
    return passTimeUntilNext()
  }
  const delays: number[] = []
  for (let count = 0; count < 3; count++) {
    emit('open')
    delays.push(lose())
  }
  emit('open')
  vi.advanceTimersByTime(34_000)
  emit('ping')
  vi.advanceTimersByTime(2000)

  expect([...delays, lose(), lose()]).toEqual([375, 750, 1500, 375, 750])
})

test('when the session has ended, the page checks it', () => {
  const check = vi.spyOn(queryClient, 'invalidateQueries')
  const { emit, onState } = setUp()
  emit('open')

  emit('end')

  expect(check.mock.calls).toMatchObject([[{ queryKey: keys.session }, { cancelRefetch: false }]])
  expect(onState).toHaveBeenLastCalledWith('lost')
})
