import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { MemoryRouter, Route, Routes, useParams } from 'react-router-dom'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { plans } from '#facts/plans.ts'
import { english } from '#shared/computed-facts.ts'
import type { Access, Figures } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadEmail, LeadEvent, LeadRow } from '#shared/inbox/lead.ts'
import { formatMoney } from '#shared/money.ts'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { accessQuery, figuresQuery, keys, queryClient, repliesQuery } from './data/queries.ts'
import { day, inputTime, moment, opening, workday } from './words/times.ts'

const DAY_MS = 24 * 60 * 60_000

// What follows reads these when it is loaded. After the query client,
// which would begin timers if there were a window.
vi.stubGlobal('location', { hash: '' })
vi.stubGlobal('localStorage', { getItem: () => null })
vi.stubGlobal('window', { isSecureContext: false, PublicKeyCredential: {} })
const { SheetBars } = await import('./frame/bars.tsx')
const { SessionGate } = await import('./frame/session.tsx')
const { AccessPage } = await import('./access/access-page.tsx')
const { FiguresPage } = await import('./figures/figures-page.tsx')
const { EraseSheet } = await import('./lead/erase-sheet.tsx')
const { OpenLead } = await import('./lead/lead-page.tsx')
const { ReplySheet } = await import('./lead/reply-sheet.tsx')
const { SinceLastAnswer } = await import('./lead/since-last-answer.tsx')
const { FollowUpSheet } = await import('./lead/follow-up-sheet.tsx')
const { LeadList } = await import('./list/lead-list.tsx')
const { useList } = await import('./list/use-list.ts')
const { useSelection } = await import('./list/use-selection.ts')
const { SelectionBar } = await import('./list/selection-bar.tsx')

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-03-04T15:00Z'), toFake: ['Date'] })
  queryClient.setQueryData(keys.session, {
    id: 'mine',
    owner: 'anna@agency.example',
    endsAt: '2100-01-01T00:00Z',
    canUsePasskeys: false,
  })
})
afterEach(() => {
  queryClient.clear()
  vi.useRealTimers()
})
afterAll(() => vi.unstubAllGlobals())

/** What Anna sees of a page: as HTML, and as text, in which | stands between two elements. */
function show(page: ReactNode, path = '/Q-1') {
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <MemoryRouter initialEntries={[path]}>
        <SessionGate>
          <Routes>
            <Route path=":reference?" element={page} />
          </Routes>
        </SessionGate>
      </MemoryRouter>
    </QueryClientProvider>,
  )
  const text = html.replace(/<\/?(bdi|span|wbr)\b[^>]*>/g, '').replace(/(<[^>]+>)+/g, '|')
  return { html, text: text.replaceAll('&#x27;', "'") }
}

const allIn = (html: string, pattern: RegExp) => [...html.matchAll(pattern)].map(([, part]) => part)
const buttonsIn = (html: string) => allIn(html, /<button[^>]*>([^<]+)</g)

const lead = {
  reference: 'Q-1',
  name: 'Ada Lovelace',
  email: 'Ada@example.com',
  phone: '',
  website: '',
  budget: '',
  message: 'Hello!',
  words: 'Hello!',
  files: [] as string[],
  company: '',
  state: 'open',
  result: null,
  unread: 0,
  receivedAt: '2026-03-03T15:00:00.000Z',
  dueAt: '2026-03-05T15:00:00.000Z',
  spamReasons: [] as string[],
  source: {},
  events: [] as LeadEvent[],
  readUpTo: 9,
  senders: [] as LeadDetail['senders'],
  emails: [] as LeadEmail[],
  others: [] as LeadDetail['others'],
} as LeadDetail

const event = (changes: Partial<LeadEvent>) =>
  ({
    id: 1,
    at: '2026-03-04T10:00:00.000Z',
    who: 'ada@example.com',
    what: 'reply',
    attachments: [],
    ...changes,
  }) as unknown as LeadEvent

const email = (changes: Partial<LeadEmail>, response = '250 accepted', at = '2026-03-04T09:00:00.000Z') => ({
  kind: 'answer',
  recipient: 'ada@example.com',
  state: 'sent' as const,
  about: null,
  queuedAt: '2026-03-04T08:00:00.000Z',
  attempts: [{ at, outcome: 'deferred', response }],
  ...changes,
})

const stuckSince = '2026-03-04T15:00:00.000Z'
const bounced = 'Your answer did not arrive.'
const doubt = 'The address may be wrong: call instead.'
const [plan] = plans
const price = `${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month`
const website = 'https://www.ada.example/'
const today = '2026-03-04T14:00:00.000Z'
const tomorrow = '2026-03-05T15:00:00.000Z'
const inADay = moment(tomorrow, Date.parse(stuckSince))
const late = { dueAt: '2026-03-03T14:00:00.000Z' }
const byAnna = { who: 'anna@agency.example', what: 'answer' } as const

test.each<[what: string, changes: Partial<LeadDetail>, shown: string | RegExp, missing?: string | RegExp]>([
  [
    'the reply about the answer that is stuck',
    { stuckSince, emails: [email({}), email({ queuedAt: stuckSince }, '451 later')] },
    'The mail server said: 451 later.',
  ],
  ['what did not arrive, not what is stuck', { stuckSince, trouble: bounced }, bounced, 'been stuck'],
  ['one trouble', { addressDoubt: doubt, trouble: bounced }, bounced, doubt],
  ['who is writing', { writer: 'Ben' }, 'Ben is writing an answer.', 'is a draft'],
  ['a draft', { hasDraft: true }, 'Your answer is a draft: it is not sent yet.', 'is writing'],
  ['a follow-up that is due', { state: 'answered', followUpAt: today }, /Follow-up due .* today\./],
  [
    'a promise that is late beside its follow-up',
    { ...late, followUpAt: today },
    /Open *Follow up\|.*\|1 day over\| Reply promised by/,
  ],
  [
    'nothing of an answer that was undone but that it was',
    {
      events: [event({ ...byAnna, text: 'Never sent' }), event({ ...byAnna, id: 2, what: 'answer_undone' })],
    },
    'You undid an answer before it was sent',
    /Never sent|You answered/,
  ],
  ['a later follow-up', { followUpAt: tomorrow }, `Follow-up set for ${inADay}.`],
  ['no promise to a suspect', { isSuspect: true }, 'This may be spam', 'Reply promised by'],
  ['a doubt about a typo', { email: 'bo@gmial.com' }, 'May mean'],
  ['the address of a website', { website }, '|ada.example (opens', 'ada.example/ '],
  ['only facts that were typed', { company: 'Ada Inc.' }, '|Company|Ada Inc.|', 'Website'],
  [
    'no emails about what is not loaded',
    { hasEarlier: true, events: [event({ id: 2, text: 'Thanks' })], emails: [email({ about: 1 })] },
    'Thanks',
    'Answer to',
  ],
  ['no reply to what arrived', { emails: [email({})] }, 'Answer to', '250'],
  ['no reply to what is in a list', { emails: [email({ state: 'listed' })] }, 'Answer to', '250'],
  [
    'the reply to what failed',
    { emails: [email({ kind: 'visitor_receipt', state: 'failed' }, '550 gone')] },
    '|550 gone|',
  ],
  [
    'no address of an answer to the request',
    { events: [event({ ...byAnna, recipient: 'ada@example.com' })] },
    'You answered |',
  ],
  [
    'no line about emails to owners that went well',
    { emails: [email({ kind: 'owner_notice', recipient: 'ben@agency.example' })] },
    'Hello!',
    /ben@|owner/,
  ],
  [
    'who else opened it',
    { events: [event({ ...byAnna, what: 'seen' }), event({ what: 'seen', who: 'ben@agency.example' })] },
    'Ben opened it first',
    'You opened',
  ],
  [
    'an automatic reply from elsewhere',
    { events: [event({ who: 'x@y.z', what: 'automatic_reply' })] },
    'An automatic reply. From x@y.z, not',
  ],
  [
    'no quoted text where there is none',
    { events: [event({ message: { quotes: [] }, attachments: ['plan.pdf'] })] },
    'plan.pdf',
    'Quoted text',
  ],
  [
    'quoted text in its place',
    {
      events: [
        event({
          text: 'Yes.\n\nAda',
          message: { quotes: [{ at: 4, text: 'When?' }] },
        }),
      ],
    },
    '|Yes.|…Quoted text|When?|Ada|',
  ],
  [
    'a message of which all is quoted',
    { events: [event({ text: '', message: { quotes: [{ at: 0, text: 'When?' }] } })] },
    '|…Quoted text|When?|',
  ],
  ['the price of a plan', { budget: plan.id }, price],
])('a request shows %s', (_what, changes, shown, missing) => {
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...changes })
  const { text } = show(<OpenLead />)

  expect(text).toMatch(shown)
  if (missing) expect(text).not.toMatch(missing)
})

test('what failed in a conversation stands out', () => {
  const answer = event({ id: 1, ...byAnna, text: 'Yes.' })
  const failed = email({ about: 1, state: 'failed' })
  const events = [answer, event({ id: 2, who: 'server', what: 'answer_failed' })]
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, events, emails: [email({}), failed] })
  const { html } = show(<OpenLead />)

  expect(html.match(/class="error"/g)).toHaveLength(2)
  const text = html.replace(/<[^>]+>/g, '')
  expect(text).toMatch(/Yes\.not delivered.*The mail system could not deliver/)
})

test('a conversation is in order, with each delivery folded at its message, and a mark above what is new', () => {
  const events = [
    event({ id: 1, ...byAnna, text: 'Which color?' }),
    event({ id: 2, who: 'ben@agency.example', what: 'note', text: 'Call her.' }),
    event({ id: 3, text: 'Blue.', at: '2026-03-04T11:00:00.000Z' }),
    event({ id: 4, text: 'And red.', at: '2026-03-04T11:00:00.000Z' }),
  ]
  const emails = [email({ about: 1 }), email({ kind: 'visitor_receipt' })]
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, isUnread: true, readUpTo: 2, events, emails })
  const { html, text } = show(<OpenLead />)

  const said = 'Hello!.*Receipt accepted.*Which color.*Accepted.*Call her.*New.*Blue.*And red'
  expect(text).toMatch(new RegExp(said, 'i'))
  expect(allIn(html, /<details[^>]*><summary>([^<]*)/g)).toEqual([
    'Receipt accepted by the mail server',
    'accepted by the mail server',
  ])
  expect(allIn(html, /<strong>(New)</g)).toEqual(['New'])
  expect(allIn(html, /<h3>(?:<[^>]+>)*([^<]*)/g)).toEqual([
    'Ada Lovelace asked for a quote',
    'You answered',
    'Ben wrote a note',
    'Ada Lovelace wrote again',
    'Ada Lovelace wrote again',
  ])
})

const answer = event({ id: 3, ...byAnna, text: 'Which color?' })
const again = [event({ id: 4, text: 'Blue.' }), event({ id: 5, text: 'And red.' })]
const note = event({ id: 6, what: 'note', text: 'Call her.' })
const undone = event({ ...byAnna, id: 7, what: 'answer_undone' })
test.each<[since: string, changes: Partial<LeadDetail>, shown: string[]]>([
  ['all messages since the last answer', { events: [answer, ...again] }, ['Blue.', 'And red.']],
  ['other owners’ notes', { events: [answer, ...again, note] }, ['Blue.', 'And red.', 'Call her.']],
  [
    'what came before an answer that was undone',
    { events: [...again, { ...answer, id: 6 }, undone] },
    ['Hello!', 'Blue.', 'And red.'],
  ],
  [
    'at least what the visitor wrote last',
    { events: [...again, { ...answer, id: 8 }] },
    ['And red.', 'Which color?'],
  ],
  ['everything without an answer', { events: again }, ['Hello!', 'Blue.', 'And red.']],
  ['what is loaded', { events: again, hasEarlier: true }, ['Blue.', 'And red.']],
])('below an answer stands %s', (_since, changes, shown) => {
  const { html } = show(<SinceLastAnswer lead={{ ...lead, ...changes }} />)

  expect(allIn(html, /class="typed">([^<]*)/g)).toEqual(shown)
})

test('an address adds nothing to the email that its link begins, and leads back to the same list', () => {
  const hostile = { email: 'yael?bcc=b&c=%41@example.com', phone: 'call me', website: 'none' }
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...hostile })
  const { html } = show(<OpenLead />, '/Q-1?view=won')

  expect(allIn(html, /href="([^"]*)"/g)).toEqual([
    '/inbox?view=won',
    'mailto:yael%3Fbcc%3Db%26c%3D%2541@example.com',
  ])
})

const pair = ['Add a note', 'Copy everything']
const person = ['Everything about this person', 'Erase this person…']
const won = 'Won the job'
const lost = 'Lost'
const elsewhere = 'I answered elsewhere…'
const nothing = 'Nothing to answer'
const calledInVain = 'Called, no answer…'
test.each<[string, Partial<LeadDetail>, string[]]>([
  ['open', {}, [nothing, elsewhere, won, lost, ...pair, 'Spam']],
  [
    'open, with a new message and a phone number',
    { repliedAt: today, phone: '(614) 555-0142' },
    [nothing, elsewhere, calledInVain, won, lost, ...pair, 'Spam'],
  ],
  ['open and won', { result: 'won' }, [nothing, elsewhere, lost, 'Not won after all', ...pair, 'Spam']],
  ['suspect', { isSuspect: true }, [elsewhere, won, lost, ...pair]],
  ['answered', { state: 'answered' }, ['Reopen', won, lost, ...pair, 'Spam']],
  ['lost', { state: 'answered', result: 'lost' }, ['Reopen', won, 'Not lost after all', ...pair, 'Spam']],
  [
    'answered, with a follow-up and a phone number',
    { state: 'answered', followUpAt: today, phone: '(614) 555-0142' },
    [elsewhere, calledInVain, 'Remove the follow-up', 'Reopen', won, lost, ...pair, 'Spam'],
  ],
  ['spam', { state: 'spam' }, ['Not spam: reopen', ...pair]],
])('the menu of a request offers what can be done (%s)', (_state, changes, expected) => {
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...changes })
  const { html } = show(<OpenLead />)

  expect(buttonsIn(html.slice(html.indexOf('popover="auto"')))).toEqual([...expected, ...person])
})

test.each<[string, Partial<LeadDetail>, boolean]>([
  ['is stuck', { stuckSince, state: 'answered' }, true],
  ['did not arrive', { trouble: bounced }, true],
  ['did not arrive, but was answered', { trouble: bounced, state: 'answered' }, false],
  ['is fine', {}, false],
])('a request whose answer %s: is a call the first step? %j', (_what, changes, isCallFirst) => {
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...changes, phone: '(614) 555-0142' })

  expect(show(<OpenLead />).text.includes('|Call|Reply|')).toBe(isCallFirst)
})

const none = 'You mention an attachment, but there is none.'
const planFile = { id: 'f1', name: 'plan.pdf', size: 12_345 }
test.each<[string, Partial<LeadDetail>, boolean]>([
  ['See the attached plan.', {}, true],
  ['Den Plan finden Sie im Anhang.', {}, true],
  ['We are attached to copper.', { attached: [planFile] }, false],
  ['Here is our answer.', {}, false],
])('an answer that mentions files that are missing says so: "%s"', (draft, changes, isShown) => {
  const reply = { ...lead, lastReply: null, template: '', attached: [], ...changes, draft }
  const { html, text } = show(<ReplySheet lead={reply} onClose={() => {}} />)

  expect(text.includes(none)).toBe(isShown)
  expect(html.includes('aria-label="Remove plan.pdf"')).toBe('attached' in changes)
})

function List() {
  const list = useList()
  return <LeadList list={list} current={useParams().reference} selection={useSelection(list)} />
}

/** The list with these pages of rows. */
function showList(pages: Partial<LeadRow>[][], path = '/', summary = {}) {
  const view = path.includes('won') ? 'won' : 'open'
  const leads = pages.map((rows) => ({ leads: rows.map((row) => ({ ...lead, ...row })), next: null }))
  queryClient.setQueryData(keys.list(view, ''), { pages: leads, pageParams: pages.map(() => '') })
  const figures = { counts: {}, waiting: 2, late: 1, medianMinutesToAnswer: null, ...summary }
  queryClient.setQueryData(['summary'], figures)
  return show(<List />, path)
}

const found = { label: 'In a note', before: 'wants ', match: 'copper', after: '' }
test.each<[what: string, row: Partial<LeadRow>, shown: string | RegExp, missing?: string]>([
  ['the found name', { found: null }, '<mark>Ada Lovelace</mark>'],
  ['the found words', { found }, 'In a note: wants <mark>copper</mark>', '<mark>Ada'],
  ['a follow-up that is due', { state: 'answered', followUpAt: today }, '>Follow up</span>'],
  [
    'a promise that is late beside its follow-up',
    { ...late, followUpAt: today },
    />1 day over<.*>Follow up</,
  ],
  [
    'why there is a follow-up, before the words of the person',
    { followUpAt: today, note: 'Call at 3' },
    />Note: Call at 3<.*>Hello!</,
  ],
  ['no note of a follow-up that was removed', { note: 'Call at 3' }, '>Hello!<', 'Call at 3'],
  ['a later follow-up', { followUpAt: tomorrow }, `>Back ${inADay}</span>`, ' left'],
  [
    'the words of somebody who wrote again before that',
    { repliedAt: '2026-03-04T12:00Z' },
    />Hello!<.*>Wrote again</,
  ],
  ['when somebody wrote again', { repliedAt: '2026-03-04T12:00Z' }, '>3 h ago<', '1 day ago'],
  ['the files of somebody who wrote nothing', { words: '', files: ['plan.pdf'] }, '>1 file: plan.pdf<'],
  ['the company', { company: 'Ada Inc.' }, '<bdi>Ada Inc., No plan chosen,</bdi>'],
  ['words before marks', { wroteBefore: true }, />Hello!<.*>Wrote before</],
  ['a result of an open request', { result: 'won' }, '>Won</strong>'],
  ['a result once', { result: 'won', state: 'answered' }, '>Won</span>', '>Won</strong>'],
  ['trouble instead of words', { trouble: bounced }, bounced, 'Hello!'],
])('a row shows %s', (_what, row, shown, missing) => {
  const { html } = showList([[row]])

  expect(html).toMatch(shown)
  if (missing) expect(html).not.toContain(missing)
})

test('a list that has grown between two pages shows each request once', () => {
  const { html } = showList([
    [{}, { reference: 'Q-2' }],
    [{ reference: 'Q-2' }, { reference: 'Q-3' }],
  ])

  expect(allIn(html, /data-row="([^"]*)"/g)).toEqual(['Q-1', 'Q-2', 'Q-3'])
})

test.each([
  ['/?view=won', 'h1', 'Won requests', 'Won', '/inbox/Q-1?view=won'],
  ['/?view=nonsense', 'h1', 'Open requests', 'More', '/inbox/Q-1?view=nonsense'],
  ['/Q-1', 'h2', 'Open requests', 'More', '/inbox/Q-1'],
])('the list of %s says which it is', (path, heading, title, menu, link) => {
  const { html, text } = showList([[{}]], path, { medianMinutesToAnswer: 150 })

  expect(html).toMatch(new RegExp(`<${heading} class="visually-hidden">${title}<`))
  expect(buttonsIn(html)).toEqual([menu])
  expect(html.includes('aria-current="page" style')).toBe(menu !== 'More')
  expect(html).toContain(`href="${link}"`)
  expect(text).toContain('2.5 h')
  expect(text).toContain('|usual reply, office hours|')
})

test('the figures above the list stand out once one is late, and leave out what is not known yet', () => {
  expect(showList([[]]).html).toContain('data-late="true"')
  const { html, text } = showList([[]], '/', { late: 0 })
  expect(html).not.toContain('data-late')
  expect(text).not.toContain('usual reply')
})

test.each([
  ['open', 'Answered, Nothing to answer, Won, Lost, Spam, Later…'],
  ['open answered', 'Won, Lost, Spam, Later…'],
  ['open lost', 'Won, Spam, Later…'],
  ['won', 'Lost, Spam, Later…'],
  ['suspect', 'Not spam, Spam'],
  ['suspect spam', 'Not spam'],
  ['open suspect', 'Spam'],
  ['open spam', 'Spam'],
])('selected requests that are %s can be changed together: %s', (kinds, buttons) => {
  const rows = kinds.split(' ').map((kind): LeadRow => {
    if (kind === 'suspect') return { ...lead, isSuspect: true }
    if (kind === 'won' || kind === 'lost') return { ...lead, state: 'answered', result: kind }
    return { ...lead, state: kind as LeadRow['state'] }
  })
  const { html } = show(<SelectionBar rows={rows} onSelectAll={undefined} onEnd={() => {}} />)

  expect(buttonsIn(html).join(', ')).toBe(`Cancel, ${buttons}`)
})

const followUpSheet = (row?: Partial<LeadRow>) =>
  show(<FollowUpSheet lead={row && { ...lead, ...row }} onChoose={() => {}} onClose={() => {}} />)

test('a follow-up is from now on, and at first in three days or at the time that is set', () => {
  const { html } = followUpSheet({})
  expect(html).toContain(`min="${inputTime(Date.now())}" max="${inputTime(Date.now() + 365 * DAY_MS)}"`)
  expect(html).toContain(`value="${inputTime(Date.parse(opening(workday(Date.now(), 3))))}"`)
  expect(followUpSheet({ followUpAt: tomorrow }).html).toContain(`value="${inputTime(Date.parse(tomorrow))}"`)
})

test.each<[string, Partial<LeadRow> | undefined, RegExp | undefined]>([
  ['waits', {}, /The reply is promised by .* tomorrow\. A follow-up doesn't change that/],
  ['is late', { dueAt: today }, /The reply was promised by .* today\. /],
  ['is answered', { state: 'answered' }, undefined],
  ['is one of several', undefined, undefined],
])('the follow-up of a request that %s says what becomes of the promise', (_what, row, promise) => {
  const { text } = followUpSheet(row)

  if (promise) expect(text).toMatch(promise)
  else expect(text).not.toContain('promised')
})

test('before a person is erased, the sheet says how long backups remain', () => {
  const { text } = show(<EraseSheet lead={lead} address={lead.email} onClose={() => {}} />)

  const end = new Date(Date.now() + BACKUP_DAYS * DAY_MS)
  expect(text).toContain(`until ${end.toLocaleDateString(english, { dateStyle: 'long' })}`)
})

test.each([
  ['connecting', ''],
  ['live', ''],
  ['saving', 'Saving…'],
  ['offline', 'Offline: this page may be out of date'],
] as const)('while the page is %s, the top of a sheet says "%s"', (live, words) => {
  expect(show(<SheetBars live={live} />).text.replaceAll('|', '')).toBe(words)
})

const week = { week: '2026-02-16', leads: 4, due: 4, answered: 3, onTime: 2, medianMinutesToAnswer: 150 }
const quiet = { leads: 0, due: 0, answered: 0, onTime: 0, medianMinutesToAnswer: null }
const figures: Figures = {
  weeks: [week, { ...quiet, week: '2026-02-23', leads: 1 }, { ...quiet, week: '2026-03-02' }],
  plans: [
    { name: 'Small', leads: 2, won: 0, lost: 1 },
    { name: 'Large', leads: 8, won: 0, lost: 0 },
  ],
  sources: [{ name: 'Google', leads: 1, won: 0, lost: 0 }],
}

test('the figures count, and draw columns and bars in proportion', () => {
  queryClient.setQueryData(figuresQuery.queryKey, figures)
  const { html, text } = show(<FiguresPage />)

  expect(text).toContain(
    '|5 requests in 3 weeks. Of the 4 that were answered or are due, 50% were answered on time.|',
  )
  const [feb16, feb23, mar2] = figures.weeks.map((one) => day(one.week).replace(/^\w+, /, ''))
  expect(allIn(html, /title="([^"]*)"/g)).toEqual([
    `${feb16}: 4 requests, 3 answered, 2 on time`,
    `${feb23}: 1 request, 0 answered, 0 on time`,
    `${mar2}: 0 requests, 0 answered, 0 on time`,
    `${feb16}: 2.5 h`,
    `${feb23}: no answers`,
    `${mar2}: no answers`,
  ])
  expect(allIn(html, /block-size:([\d.]+%)/g)).toEqual(['50%', '25%', '25%', '25%', '100%'])
  const [, , notAnswered, alsoNotAnswered] = allIn(html, /<i class="(\w*)" style="block/g)
  expect(notAnswered).toBe(alsoNotAnswered)
  expect(allIn(html, /inline-size:([\d.]+%)/g)).toEqual(['25%', '100%', '100%'])
  expect(text).toContain('Small0 won, 1 lost of |2|Large|8|Requests by source|Google|1|')
})

test('figures without requests, or without due answers, say so', () => {
  const weeks = [{ ...quiet, week: '2026-03-02' }]
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks })
  expect(show(<FiguresPage />).text).toContain('|No requests in the last ')
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks: [{ ...week, due: 0 }] })
  expect(show(<FiguresPage />).text).toMatch(/\|4 requests in \d+ weeks\.\|/)
})

test('columns have labels where there is room, and the newest has one', () => {
  const weeks = ['02', '09', '16', '23', '30'].map((day) => ({ ...week, week: `2026-03-${day}` }))
  queryClient.setQueryData(figuresQuery.queryKey, { ...figures, weeks: [week, ...weeks] })
  const { html } = show(<FiguresPage />)

  const labels = allIn(html, /<span aria-hidden="true">\D*(\d+)/g)
  expect(labels.slice(0, 3)).toEqual(['2', '16', '30'])
})

test('the Access page says when devices and passkeys were used', () => {
  const device = { owner: 'ben@agency.example', seenAt: '2026-03-04T14:01:00Z', isInUse: false }
  const passkey = { owner: 'ben@agency.example', createdAt: '2026-03-01T15:00Z', usedAt: null }
  const access: Access = {
    sessions: [
      { ...device, id: 'mine', browser: 'Mine' },
      { ...device, id: '1', browser: 'Open', isInUse: true },
      { ...device, id: '2', browser: 'Recent' },
      { ...device, id: '3', browser: 'Old', seenAt: '2026-03-04T13:59:00Z' },
    ],
    passkeys: [
      { ...passkey, id: '4', name: 'New' },
      { ...passkey, id: '5', name: 'Used', usedAt: '2026-03-04T12:00Z' },
    ],
  }
  queryClient.setQueryData(accessQuery.queryKey, access)
  // The sections appear together, so that none moves another.
  expect(show(<AccessPage />).text).toBe('|Access|')
  queryClient.setQueryData(repliesQuery.queryKey, { replies: [] })
  const { text } = show(<AccessPage />)

  for (const [name, use] of Object.entries({
    Mine: 'this device|',
    Open: 'in use|Sign out',
    Recent: 'used in the last hour|Sign out',
    Old: 'last used about 1 h ago|Sign out',
    New: 'added 3 days ago|Remove',
    Used: 'used 3 h ago|Remove',
  }))
    expect(text).toContain(`|${name}|ben@agency.example, ${use}`)
  expect(text).toContain('Passkeys need a browser')
  expect(text).toContain('Messages need an https address.')
})
