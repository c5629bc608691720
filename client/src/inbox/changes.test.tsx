import { QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Outlet, Route, Routes } from 'react-router-dom'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FRESH_MINUTES } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadRow } from '#shared/inbox/lead.ts'
import { useEarlier } from './data/history.ts'
import { usePending } from './data/pending.ts'
import { keys, listQuery, pushQuery, queryClient } from './data/queries.ts'
import type { Notice } from './frame/notices.tsx'
import { changeInWords, finishes, type LeadChange, pressOf } from './lead/use-change.ts'
import { day } from './words/times.ts'

// What follows reads these when it is loaded. After the query client,
// which would begin timers if there were a window.
const stubGlobals = () => {
  vi.stubGlobal('location', { hash: '' })
  vi.stubGlobal('window', { isSecureContext: true })
}
stubGlobals()
const { NotifyContext, withNotice } = await import('./frame/notices.tsx')
const { SessionGate, useFresh } = await import('./frame/session.tsx')
const { useChange } = await import('./lead/use-change.ts')
const { useNote } = await import('./lead/note-sheet.tsx')
const { useChangeSeveral } = await import('./list/use-change-several.ts')
const { onTappedMessage, usePush, whyNoPush } = await import('./push/push.ts')

let notices: Notice[]
let sent: { path: string; method: string; body: object }[]
let responses: [status: number, body: object][]

beforeEach(() => {
  vi.useFakeTimers()
  stubGlobals()
  notices = []
  sent = []
  responses = []
  // Reading a real response takes time that no fake clock knows.
  // Without a response, the connection fails.
  vi.stubGlobal('fetch', async (path: string, { method, body = '{}' }: { method: string; body?: string }) => {
    sent.push({ path, method, body: JSON.parse(body) })
    await new Promise((done) => setTimeout(done, 10))
    const [status, json] = responses.shift() ?? [0, {}]
    if (status === 0) throw new TypeError('Failed to fetch')
    return { status, ok: status < 300, headers: new Headers(), text: async () => JSON.stringify(json) }
  })
  queryClient.setQueryData(keys.session, { owner: 'anna@agency.example', signedInAt: new Date().toJSON() })
})
afterEach(() => {
  queryClient.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** What a hook returns on a page of the inbox, which collects its notices. */
function use<Result>(hook: () => Result): Result {
  const results: Result[] = []
  const Page = () => {
    results.push(hook())
    return null
  }
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <NotifyContext value={(notice) => notices.push(notice)}>
        <MemoryRouter>
          <SessionGate>
            <Routes>
              <Route element={<Outlet context={[]} />}>
                <Route index element={<Page />} />
              </Route>
            </Routes>
          </SessionGate>
        </MemoryRouter>
      </NotifyContext>
    </QueryClientProvider>,
  )
  return results[0] as Result
}

/** The latest notice, once all attempts have ended. */
async function ended() {
  await vi.advanceTimersByTimeAsync(60_000)
  const { kind, ...notice } = notices.at(-1) ?? { kind: undefined }
  return { kind, text: '', undo: undefined, retry: undefined, ...notice }
}

const lead = (reference: string, changes: Partial<LeadDetail> = {}) => {
  const name = reference === 'Q-1' ? 'Ada' : 'Ben'
  return { reference, name, state: 'open', isSuspect: false, version: 3, trouble: null, ...changes }
}
const stored = (reference: string) => queryClient.getQueryData<LeadDetail>(keys.lead(reference))
/** The lead as the page shows it now. */
function shown(reference: string) {
  const lead = stored(reference)
  return lead && use(usePending)(lead)
}

/**
 * Shows these leads, and a read of the first that began before a
 * change. Ends that read when the result is called.
 */
function showLeads(...leads: ReturnType<typeof lead>[]) {
  for (const one of leads) queryClient.setQueryData(keys.lead(one.reference), one)
  let endRead = () => {}
  const queryFn = () =>
    new Promise((resolve) => {
      endRead = () => resolve(leads[0])
    })
  queryClient.fetchQuery({ queryKey: keys.lead('Q-1'), queryFn, staleTime: 0 }).catch(() => {})
  return () => endRead()
}

test('several requests that could not be changed are shown as they were, and can be tried again', async () => {
  const leads = [lead('Q-1'), lead('Q-2', { state: 'answered', followUpOn: '2026-03-04' })]
  const endRead = showLeads(...leads)
  const change = use(useChangeSeveral)
  change(leads as LeadRow[], { state: 'lost' })
  await vi.advanceTimersByTimeAsync(0)
  endRead()
  await vi.advanceTimersByTimeAsync(0)
  expect([shown('Q-1')?.state, shown('Q-2')?.state]).toEqual(['lost', 'lost'])

  const failed = await ended()
  expect(failed).toMatchObject({
    kind: 'failed',
    text: 'Ada, Ben: not changed. The server cannot be reached. Please check your connection.',
  })
  expect(sent).toHaveLength(4)
  expect([shown('Q-1')?.state, shown('Q-2')?.state]).toEqual(['open', 'answered'])

  const refresh = vi.spyOn(queryClient, 'invalidateQueries')
  responses = [[200, { changed: [{ reference: 'Q-2', state: 'lost', version: 4 }], left: ['Q-1'] }]]
  failed.retry?.()
  const done = await ended()
  const faster = 'Not changed, because somebody else was faster: Ada.'
  expect(done).toMatchObject({ kind: 'failed', text: `Ben: marked as lost. ${faster}` })
  expect(refresh).toHaveBeenCalled()

  responses = [[200, { changed: [{ reference: 'Q-2', state: 'answered', version: 5 }], left: [] }]]
  done.undo?.()
  await vi.advanceTimersByTimeAsync(0)
  expect(sent.at(-1)?.body).toEqual({ leads: [{ reference: 'Q-2', version: 4 }] })
  expect(await ended()).toMatchObject({ kind: 'done', text: 'Ben: undone. ', undo: undefined })
  expect(stored('Q-2')).toMatchObject({ state: 'answered', followUpOn: '2026-03-04', version: 5 })
})

test('what the server refuses for several requests is not offered again', async () => {
  responses = [[400, { detail: 'No.' }]]
  use(useChangeSeveral)([lead('Q-1')] as LeadRow[], { state: 'lost' })
  expect(await ended()).toMatchObject({ text: 'Ada: not changed. No.', retry: undefined })

  responses = [[200, { changed: [], left: ['Q-1'] }]]
  use(useChangeSeveral)([lead('Q-1')] as LeadRow[], { state: 'lost' })
  expect(await ended()).toMatchObject({ text: expect.stringMatching(/^Not changed/), undo: undefined })
})

test('a change of one request is taken back if it fails, and can be tried again and undone', async () => {
  const before = lead('Q-1', { isSuspect: true, trouble: 'Not delivered', followUpOn: '2026-03-04' })
  const endRead = showLeads(before)
  const change = use(() => useChange(before as LeadDetail))
  change({ state: 'open' })
  await vi.advanceTimersByTimeAsync(0)
  endRead()
  await vi.advanceTimersByTimeAsync(0)
  expect(shown('Q-1')?.isSuspect).toBe(false)
  const failed = await ended()
  expect(failed).toMatchObject({ kind: 'failed', text: expect.stringMatching(/^not changed\. .*reached/) })
  expect(shown('Q-1')).toEqual(before)

  responses = [[200, { state: 'open', version: 4 }]]
  failed.retry?.()
  const done = await ended()
  expect(done).toMatchObject({ kind: 'done', text: 'marked as not spam.' })
  expect(stored('Q-1')).toMatchObject({ isSuspect: false, followUpOn: null, trouble: 'Not delivered' })

  responses = [[409, { detail: 'No.' }]]
  done.undo?.()
  expect(await ended()).toMatchObject({ kind: 'failed', text: 'not changed. No.', retry: undefined })
  expect(sent.at(-1)?.body).toEqual({ version: 4 })

  responses = [[200, { state: 'open', version: 5 }]]
  done.undo?.()
  expect(await ended()).toMatchObject({ kind: 'done', text: 'undone.', undo: undefined })
  expect(stored('Q-1')).toEqual({ ...before, version: 5 })
})

const open = { state: 'open', isSuspect: false, followUpOn: null, trouble: null } as const
const suspect = { ...open, isSuspect: true }
const spam = { ...open, state: 'spam' } as const
const won = { ...open, state: 'won' } as const
test.each<[LeadChange, typeof open | typeof suspect | typeof spam | typeof won, string, boolean]>([
  [{ state: 'won' }, open, 'marked as won.', true],
  [{ state: 'open' }, won, 'reopened.', false],
  [{ state: 'open' }, suspect, 'marked as not spam.', true],
  [{ state: 'open' }, spam, 'marked as not spam.', true],
  [{ followUpOn: '2026-03-06' }, open, `follow-up set for ${day('2026-03-06')}.`, true],
  [{ followUpOn: null }, open, 'follow-up removed.', false],
])('%j after %j is "%s"; does the next request open? %j', (change, before, words, opens) => {
  expect(changeInWords(pressOf(change).shown, before)).toBe(words)
  expect(finishes(change, before)).toBe(opens)
})

test('trouble ends with every state but open', () => {
  expect(pressOf({ state: 'won' }).shown).toEqual({ ...won, trouble: null })
})

test('two changes that fail, the second behind the first, leave nothing of either', async () => {
  const before = lead('Q-1', { followUpOn: '2026-03-04' })
  showLeads(before)
  const change = use(() => useChange(before as LeadDetail))
  change({ state: 'won' })
  change({ state: 'spam' })
  await vi.advanceTimersByTimeAsync(0)
  expect([shown('Q-1')?.state, sent.length]).toEqual(['spam', 1])

  await ended()
  expect(shown('Q-1')).toEqual(before)
})

test('a change that fails behind another one leaves what that one has set', async () => {
  const before = lead('Q-1')
  showLeads(before)
  const change = use(() => useChange(before as LeadDetail))
  responses = [
    [200, { state: 'won', version: 4 }],
    [409, { detail: 'No.' }],
  ]
  change({ state: 'won' })
  change({ state: 'spam' })

  await ended()
  expect(shown('Q-1')).toMatchObject({ state: 'won', version: 4 })
  expect(sent.at(-1)?.body).toEqual({ state: 'spam', version: 4 })
})

test('a note is saved once, and its undo can be tried again; what was typed since is kept', async () => {
  const typed = () => queryClient.getQueryData(keys.typed('note', 'Q-1'))
  use(() => useNote(lead('Q-1'))).keep('One')
  const { keep, saveLatest } = use(() => useNote(lead('Q-1')))
  responses = [[200, { state: 'open', version: 3 }]]
  saveLatest(() => {})
  const saved = await ended()
  expect(saved).toMatchObject({ kind: 'done', text: 'note saved.' })
  expect(typed()).toMatchObject({ text: '' })

  keep('Two')
  saved.undo?.()
  const failed = await ended()
  const reason = "the note couldn't be undone. The server cannot be reached. Please check your connection."
  expect(failed).toMatchObject({ kind: 'failed', text: reason })
  responses = [[409, { detail: 'No.' }]]
  failed.retry?.()
  expect(await ended()).toMatchObject({ text: "the note couldn't be undone. No.", retry: undefined })

  responses = [[200, { state: 'open', version: 3 }]]
  failed.retry?.()
  expect(await ended()).toMatchObject({ text: expect.stringMatching(/^undone\./) })
  expect(typed()).toMatchObject({ text: 'One\n\nTwo' })
  const [first, ...undos] = sent.map(({ path, body }) => [path, body])
  const { key } = Object(first?.[1])
  expect(new Set(undos.map(([path]) => path))).toEqual(new Set([`/api/leads/Q-1/notes/${key}/undo`]))
})

test('the earlier history is added once, however often it is asked for', async () => {
  queryClient.setQueryData(keys.lead('Q-1'), lead('Q-1', { events: [{ id: 9 }] as LeadDetail['events'] }))
  const { mutate } = use(() => useEarlier(stored('Q-1') as LeadDetail))
  const event = { at: '', who: '', what: 'note', from: null, to: null, text: null, recipient: null }
  const earlier = { events: [{ ...event, id: 8, message: null }], hasEarlier: true }
  responses = [
    [200, earlier],
    [200, earlier],
  ]
  mutate()
  mutate()
  await ended()

  expect(sent.map(({ path }) => path)).toContain('/api/leads/Q-1/events?before=9')
  expect(stored('Q-1')).toMatchObject({ events: [{ id: 8 }, { id: 9 }], hasEarlier: true })
})

test('a sign-in is asked for a bit before the server would refuse the old one', async () => {
  const isAsked = async (ageMs: number) => {
    const signedInAt = new Date(Date.now() - ageMs).toJSON()
    queryClient.setQueryData(keys.session, { owner: 'anna@agency.example', signedInAt })
    const fresh = use(useFresh)('Please sign in again.').then(() => false)
    return Promise.race([fresh, vi.advanceTimersByTimeAsync(1).then(() => true)])
  }
  expect(await isAsked(FRESH_MINUTES * 60_000 - 31_000)).toBe(false)
  expect(await isAsked(FRESH_MINUTES * 60_000 - 29_000)).toBe(true)
})

test('the next page of a search begins where the last one ended', async () => {
  responses = [[200, { leads: [], next: null }]]
  const { queryFn } = listQuery('all', 'roof')
  void Object(queryFn)({ pageParam: 'cursor' })

  expect(sent.at(-1)).toMatchObject({ path: '/api/leads/search', body: { search: 'roof', after: 'cursor' } })
})

const about = (reference: string) => ({ reference, name: '' })
const answerTo = (reference: string, sendsInMs: number): Notice => ({
  kind: 'answer',
  about: about(reference),
  key: 'k',
  sendsAt: new Date(Date.now() + sendsInMs).toJSON(),
})
const failure = { kind: 'failed', text: '' } as const
test.each<[string, () => Notice, string[]]>([
  ['an answer that can be undone stays', () => answerTo('Q-1', 1), ['old', 'new']],
  ['an answer that was sent goes', () => answerTo('Q-1', 0), ['new']],
  ['a failure stays', () => ({ ...failure, about: about('Q-2') }), ['old', 'new']],
  ['a failure goes with news of the same request', () => ({ ...failure, about: about('Q-1') }), ['new']],
  ['a failure without a request goes', () => failure, ['new']],
  ['success goes', () => ({ kind: 'done', text: '', about: about('Q-2') }), ['new']],
])('when another notice comes, %s', (_what, old, ids) => {
  const newer = { id: 'new', notice: { kind: 'done', text: '', about: about('Q-1') } } as const
  const shown = withNotice([{ id: 'old', notice: old() }], newer)

  expect(shown.map(({ id }) => id)).toEqual(ids)
  expect(withNotice(shown, newer)).toBe(shown)
})

test.each([
  ['iPhone', 5, /home screen/],
  ['Macintosh', 5, /home screen/],
  ['Macintosh', 0, 'This browser cannot show messages.'],
  ['Linux', 5, 'This browser cannot show messages.'],
])(
  'on %s with %i touch points, a browser without messages says what would help',
  (userAgent, points, why) => {
    vi.stubGlobal('navigator', { userAgent, maxTouchPoints: points })

    expect(whyNoPush()).toMatch(why)
  },
)

/** A browser with a subscription. */
function stubPush(permission: string) {
  const subscription = { unsubscribe: vi.fn(), toJSON: () => ({ endpoint: 'https://push.example/1' }) }
  const pushManager = {
    getSubscription: async () => subscription,
    subscribe: vi.fn(async () => subscription),
  }
  const registration = { pushManager }
  const serviceWorker = Object.assign(new EventTarget(), {
    ready: registration,
    register: async () => registration,
    getRegistration: async () => registration,
  })
  vi.stubGlobal('navigator', { serviceWorker })
  vi.stubGlobal('Notification', { requestPermission: async () => permission })
  return { serviceWorker, subscription, pushManager }
}

test('turning messages off ends the subscription of the device, on the server first', async () => {
  const { subscription } = stubPush('granted')
  const { turnOff } = use(usePush)
  turnOff.mutate()
  await ended()
  expect(subscription.unsubscribe).not.toHaveBeenCalled()

  responses = [[200, {}]]
  turnOff.mutate()
  await ended()
  expect(sent.at(-1)).toMatchObject({ path: '/api/push', method: 'DELETE' })
  expect(subscription.unsubscribe).toHaveBeenCalledOnce()
})

test('turning messages on says why it failed, and keeps a subscription that is known', async () => {
  const { subscription, pushManager } = stubPush('granted')
  queryClient.setQueryData(pushQuery.queryKey, {
    publicKey: 'k',
    endpoint: 'https://push.example/1',
    showsContent: false,
  })
  const { isOn, showsContent, turnOn } = use(usePush)
  expect([isOn, showsContent]).toEqual([true, false])
  pushManager.subscribe.mockRejectedValueOnce(new Error('raw'))
  turnOn.mutate(true)
  responses = [[200, {}]]
  turnOn.mutate(true)
  await ended()
  stubPush('default')
  turnOn.mutate(true)
  await ended()

  expect(sent.map(({ body }) => body)).toEqual([{ endpoint: 'https://push.example/1', showsContent: true }])
  expect(subscription.unsubscribe).not.toHaveBeenCalled()
})

test('a subscription from before the database was replaced ends before there is a new one', async () => {
  const { subscription, pushManager } = stubPush('granted')
  pushManager.subscribe.mockImplementationOnce(async () => {
    expect(subscription.unsubscribe).toHaveBeenCalledOnce()
    return subscription
  })
  responses = [[200, {}]]
  queryClient.setQueryData(pushQuery.queryKey, { publicKey: 'k', endpoint: null, showsContent: true })
  const { isOn, turnOn } = use(usePush)
  expect(isOn).toBe(false)
  turnOn.mutate(true)
  await ended()

  expect(sent).toHaveLength(1)
})

test('a tapped message opens only pages of the inbox', () => {
  const { serviceWorker } = stubPush('granted')
  const opened: string[] = []
  onTappedMessage((url) => opened.push(url))
  for (const open of ['/inbox/Q-1', 'https://evil.example/', undefined])
    serviceWorker.dispatchEvent(Object.assign(new Event('message'), { data: { open } }))

  expect(opened).toEqual(['/inbox/Q-1'])
})
