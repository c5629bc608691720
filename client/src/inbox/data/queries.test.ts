import { environmentManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError } from './api.ts'
import {
  changeTo,
  hasFailed,
  isWorthRetrying,
  keys,
  listQuery,
  queryClient,
  refresh,
  retryInMs,
  sessionQuery,
  summaryQuery,
} from './queries.ts'

beforeEach(() => {
  vi.useFakeTimers()
  // On a server, no query would be repeated.
  environmentManager.setIsServer(() => false)
})
afterEach(() => {
  queryClient.clear()
  environmentManager.setIsServer(() => true)
  vi.useRealTimers()
})

const settle = () => vi.advanceTimersByTimeAsync(0)

/** Shows the summary on a page. Each read is answered when a test calls `resolve` or `reject`. */
async function show() {
  const reads: PromiseWithResolvers<string>[] = []
  const queryFn = () => {
    const read = Promise.withResolvers<string>()
    reads.push(read)
    return read.promise
  }
  const options = { queryKey: summaryQuery.queryKey, queryFn, retry: false }
  const hide = new QueryObserver(queryClient, options).subscribe(() => {})
  reads[0]?.resolve('first')
  await settle()
  return Object.assign(reads, { hide })
}

test.each([
  [0, true],
  [500, true],
  [503, true],
  [400, false],
  [401, false],
  [404, false],
  [409, false],
  [429, false],
])('after status %i, is a read retried (at most three times)? %j', (status, isRetried) => {
  expect(isWorthRetrying(2, new ApiError(status, ''))).toBe(isRetried)
  expect(isWorthRetrying(3, new ApiError(status, ''))).toBe(false)
})

test('a retry waits as long as the server asks, or else at most 30 seconds', () => {
  expect(retryInMs(0, Object.assign(new ApiError(503, ''), { retryAfterMs: 7000 }))).toBe(7000)
  expect(retryInMs(20)).toBe(30_000)
  const { queries, mutations } = queryClient.getDefaultOptions()
  expect([queries?.retry, queries?.retryDelay]).toEqual([isWorthRetrying, retryInMs])
  expect([mutations?.retry, mutations?.retryDelay]).toEqual([undefined, retryInMs])
})

test('what could not be fetched is fetched again, and the page knows that it is out of date', async () => {
  const reads = await show()
  void refresh()

  reads[1]?.reject(new ApiError(503, ''))
  await settle()
  expect(hasFailed()).toBe(true)
  await vi.advanceTimersByTimeAsync(5_000)
  reads[2]?.resolve('second')
  await settle()

  expect([reads.length, hasFailed(), queryClient.getQueryData(summaryQuery.queryKey)]).toEqual([
    3,
    false,
    'second',
  ])
})

test('what the page no longer shows does not make it out of date', async () => {
  const reads = await show()
  void refresh()
  reads[1]?.reject(new ApiError(503, ''))
  await settle()

  reads.hide()
  await vi.advanceTimersByTimeAsync(5_000)

  expect(hasFailed()).toBe(false)
})

test('what was typed is kept as long as the page is open', () => {
  // Without a window, nothing is ever dropped.
  expect(queryClient.getQueryDefaults(keys.typed('note', 'Q-1')).gcTime).toBe(Number.POSITIVE_INFINITY)
})

test('after a change, everything is fetched again, and what was being read before no longer counts', async () => {
  const reads = await show()
  void refresh()
  const options = { ...changeTo('Q-1'), mutationFn: async () => {} }
  await queryClient.getMutationCache().build(queryClient, options).execute(undefined)

  reads[2]?.resolve('third')
  await settle()
  reads[1]?.resolve('second')
  await settle()

  expect([reads.length, queryClient.getQueryData(summaryQuery.queryKey)]).toEqual([3, 'third'])
})

test('a check that finds nobody signed in is repeated once at once: a sign-in may have overtaken it', async () => {
  // Reading a real response takes time that no fake clock knows.
  const refuse = async () => Object.assign(new Response(null, { status: 401 }), { text: async () => '' })
  const request = vi.spyOn(globalThis, 'fetch').mockImplementation(refuse)
  queryClient.setQueryData(keys.session, { owner: 'anna@agency.example' }, { updatedAt: 0 })
  new QueryObserver(queryClient, sessionQuery).subscribe(() => {})

  await vi.advanceTimersByTimeAsync(1_000)

  expect([request.mock.calls.length, queryClient.getQueryData(keys.session)]).toEqual([2, null])
})

test('a check that fails signs nobody out', async () => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async () => new Response(null, { status: 503 }))

  await expect(queryClient.fetchQuery({ ...sessionQuery, retry: false })).rejects.toThrow(ApiError)
})

test('the next page of a search begins where the last one ended', async () => {
  const respond = async () => new Response('{"leads":[],"next":null}')
  const request = vi.spyOn(globalThis, 'fetch').mockImplementation(respond)
  const { queryFn } = listQuery('all', 'roof')
  void Object(queryFn)({ pageParam: 'cursor' })

  const body = JSON.stringify({ search: 'roof', after: 'cursor' })
  expect(request).toHaveBeenCalledWith('/api/leads/search', expect.objectContaining({ body }))
})
