import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keys, queryClient } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { trackChange } from './unconfirmed.ts'
import { readLiveState, subscribeLive } from './use-live.ts'

class FakeSource extends EventTarget {
  static all: FakeSource[] = []
  isClosed = false
  readonly url: string
  constructor(url: string) {
    super()
    this.url = url
    FakeSource.all.push(this)
  }
  close() {
    this.isClosed = true
  }
}

const page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
const network = { onLine: true }
let stop = () => {}
let states: string[]

beforeEach(() => {
  FakeSource.all = []
  states = []
  vi.useFakeTimers()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('navigator', network)
  vi.stubGlobal('EventSource', FakeSource)
  queryClient.clear()
  stop = subscribeLive(() => states.push(readLiveState()))
})
afterEach(() => {
  stop()
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
  Object.assign(page, { visibilityState: 'visible' })
  network.onLine = true
})

const open = () => FakeSource.all.map(({ isClosed }) => isClosed).filter((isClosed) => !isClosed).length
const emit = async (event: string) => {
  FakeSource.all.at(-1)?.dispatchEvent(new Event(event))
  await vi.advanceTimersByTimeAsync(0)
}
function setVisibility(visibilityState: string) {
  Object.assign(page, { visibilityState })
  page.dispatchEvent(new Event('visibilitychange'))
}

test('the page is live once the stream is open and everything is fetched', async () => {
  expect([readLiveState(), FakeSource.all[0]?.url]).toEqual(['connecting', '/api/events'])

  await emit('open')

  expect(readLiveState()).toBe('live')
})

test('components share one stream, and the last one to unmount closes it', () => {
  const stopOther = subscribeLive(() => {})
  expect(open()).toBe(1)

  stop()
  expect(open()).toBe(1)
  stopOther()
  stop = () => {}

  expect(open()).toBe(0)
})

test('a hidden page has no stream', async () => {
  await emit('open')

  setVisibility('hidden')
  expect([open(), readLiveState()]).toEqual([0, 'connecting'])
  setVisibility('visible')

  expect(open()).toBe(1)
})

test.each([
  ['while the page is opened', async () => {}, 'connecting'],
  ['after the server has closed the stream', () => emit('open').then(() => emit('error')), 'live'],
  [
    'after the page was hidden for an hour',
    async () => {
      await emit('open')
      setVisibility('hidden')
      await vi.advanceTimersByTimeAsync(3_600_000)
      setVisibility('visible')
    },
    'connecting',
  ],
])('%s, only a loss of more than 3 seconds is shown', async (_when, lose, shown) => {
  await lose()
  states = []

  await vi.advanceTimersByTimeAsync(2_900)
  expect([...states, readLiveState()]).toEqual(states.map(() => shown).concat(shown))
  await vi.advanceTimersByTimeAsync(100)
  expect(readLiveState()).toBe('lost')

  await emit('open')
  expect(readLiveState()).toBe('live')
})

test('without a network, the page says at once that it is offline, and keeps trying to connect', async () => {
  await emit('open')

  network.onLine = false
  window.dispatchEvent(new Event('offline'))

  expect([readLiveState(), open()]).toEqual(['offline', 1])
  network.onLine = true
  window.dispatchEvent(new Event('online'))
  await emit('open')
  expect(readLiveState()).toBe('live')
})

test('after the session has ended, there is no stream until somebody signs in', async () => {
  await emit('open')

  queryClient.setQueryData(keys.session, null)
  await vi.advanceTimersByTimeAsync(0)
  expect(open()).toBe(0)
  await vi.advanceTimersByTimeAsync(100_000)
  expect(FakeSource.all).toHaveLength(1)
  queryClient.setQueryData(keys.session, { id: 's' })
  await vi.advanceTimersByTimeAsync(0)

  expect(open()).toBe(1)
})

test('after a change, everything that the page has fetched is marked as stale, except the session', async () => {
  queryClient.setQueryData(keys.summary, {})
  queryClient.setQueryData(keys.access, {})
  queryClient.setQueryData(keys.session, { id: 's' })
  await emit('open')
  const isOld = () =>
    [keys.summary, keys.access, keys.session].map(
      (queryKey) => queryClient.getQueryState(queryKey)?.isInvalidated,
    )
  queryClient.setQueryData(keys.summary, {})
  queryClient.setQueryData(keys.access, {})
  expect(isOld()).toEqual([false, false, false])

  await emit('change')

  expect(isOld()).toEqual([true, true, false])
})

test('if another change is reported while one is being saved, the page says that it may be out of date', async () => {
  await emit('open')
  const saving = Promise.withResolvers<void>()
  const release = refresh.hold()
  const tracked = trackChange(saving.promise)
  await vi.advanceTimersByTimeAsync(1000)
  expect(readLiveState()).toBe('saving')

  await emit('change')
  await vi.advanceTimersByTimeAsync(4000)
  expect(readLiveState()).toBe('lost')

  saving.resolve()
  await tracked
  release()
  await vi.advanceTimersByTimeAsync(0)
  expect(readLiveState()).toBe('live')
})
