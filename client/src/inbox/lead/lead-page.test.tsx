import { expect, test } from 'vitest'
import { plans } from '#facts/plans.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { formatMoney } from '#shared/money.ts'
import {
  allIn,
  buttonsIn,
  email,
  event,
  lead,
  show,
  today,
  tomorrow,
  useAnna,
} from '../../../e2e/inbox/show-page.tsx'
import { ApiError } from '../data/api.ts'
import { keys, queryClient } from '../data/queries.ts'
import { moment } from '../words/times.ts'

useAnna()
const { OpenLead } = await import('./lead-page.tsx')
const { ReplySheet } = await import('./reply-sheet.tsx')
const { SinceLastAnswer } = await import('./since-last-answer.tsx')

const stuckSince = '2026-03-04T15:00:00.000Z'
const bounced = 'Your answer did not arrive.'
const doubt = 'The address may be wrong: call instead.'
const [plan] = plans
const price = `${formatMoney(plan.setup)} setup and ${formatMoney(plan.monthly)} a month`
const website = 'https://www.ada.example/'
const inADay = moment(tomorrow, Date.parse(stuckSince))
const late = { dueAt: '2026-03-03T14:00:00.000Z' }
const byAnna = { who: 'anna@agency.example', what: 'answer' } as const

test.each<[what: string, changes: Partial<LeadDetail>, shown: string | RegExp, missing?: string | RegExp]>([
  [
    'the reply about the answer that is stuck',
    {
      stuckSince,
      emails: [
        email({}),
        email({
          queuedAt: stuckSince,
          attempts: [...email({}, '421 busy').attempts, ...email({}, '451 later').attempts],
        }),
      ],
    },
    'The mail server said: 451 later.',
  ],
  ['what did not arrive, not what is stuck', { stuckSince, trouble: bounced }, bounced, 'been stuck'],
  [
    'once why an answer failed',
    { trouble: bounced, events: [event({ what: 'answer_failed', who: 'server', text: bounced })] },
    bounced,
    /arrive\..*arrive\./,
  ],
  [
    'why an email waits, and since when',
    { emails: [email({ state: 'queued' }, '451 busy')] },
    `, ${moment(email({}).attempts[0]?.at ?? '', Date.parse(stuckSince))}|451 busy|`,
  ],
  ['one trouble', { addressDoubt: doubt, trouble: bounced }, bounced, doubt],
  ['who is writing', { writer: 'Ben' }, 'Ben is writing an answer.', 'is a draft'],
  ['a draft', { hasDraft: true }, 'Your answer is a draft: it is not sent yet.', 'is writing'],
  [
    'a follow-up that is due',
    { state: 'answered', followUpAt: today },
    /Follow-up due .* today\./,
    'promised',
  ],
  ['a follow-up that is still to come', { followUpAt: tomorrow }, 'Follow-up set for', /Open *Follow up\|/],
  [
    'a promise that is late beside its follow-up',
    { ...late, followUpAt: today },
    /Open *Follow up\|.*\|1 day over\| Reply promised by/,
  ],
  [
    'nothing of an answer that was undone but that it was',
    {
      events: [
        event({ ...byAnna, text: 'Never sent' }),
        event({ ...byAnna, id: 2, what: 'answer_undone', undoes: 1 }),
      ],
    },
    'You undid an answer before it was sent',
    /Never sent|You answered/,
  ],
  [
    'a later answer of the same owner',
    {
      events: [
        event({ ...byAnna, text: 'Never sent' }),
        event({ ...byAnna, id: 2, text: 'Sent after all' }),
        event({ ...byAnna, id: 3, what: 'answer_undone', undoes: 1 }),
      ],
    },
    'Sent after all',
    'Never sent',
  ],
  ['a new email', { events: [event({ isNewEmail: true })] }, 'Ada Lovelace wrote a new email'],
  ['a later follow-up', { followUpAt: tomorrow }, `Follow-up set for ${inADay}. Reply promised by `],
  [
    'why somebody is a suspect, and no promise',
    { isSuspect: true, spamReasons: ['Three links'] },
    /Suspect\|.*This may be spam\|Three links\|/,
    'Reply promised by',
  ],
  ['a doubt about a typo', { email: 'bo@gmial.com' }, 'May mean'],
  ['the address of a website', { website }, '|ada.example (opens', 'ada.example/ '],
  ['a phone number once', { phone: '(614) 555-0142' }, '', /Phone.*Phone/],
  ['only facts that were typed', { company: 'Ada Inc.' }, '|Company|Ada Inc.|', /Website|Source/],
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

test('a request that is shown stays as it is if it could not be loaded again', () => {
  queryClient.setQueryData(keys.lead('Q-1'), lead)
  const query = queryClient.getQueryCache().find({ queryKey: keys.lead('Q-1') })
  query?.setState({ status: 'error', error: new ApiError(400, 'No.') })

  const { text } = show(<OpenLead />)
  expect(text).toContain('Hello!')
  expect(text).not.toContain('could not be loaded')
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
const undone = event({ ...byAnna, id: 7, what: 'answer_undone', undoes: 6 })
test.each<[since: string, changes: Partial<LeadDetail>, shown: string[]]>([
  ['all messages since the last answer', { events: [answer, ...again] }, ['Blue.', 'And red.']],
  [
    'what came before the answer, but was read later',
    { events: [answer, ...again.map((each) => ({ ...each, at: '2026-03-04T01:00:00.000Z' }))] },
    ['Blue.', 'And red.', 'Which color?'],
  ],
  ['other owners’ notes', { events: [answer, ...again, note] }, ['Blue.', 'And red.', 'Call her.']],
  [
    'what came before an answer that was undone',
    { events: [...again, { ...answer, id: 6 }, undone] },
    ['Hello!', 'Blue.', 'And red.'],
  ],
  [
    'what came before an answer that failed',
    { events: [...again, { ...answer, id: 6 }, event({ id: 7, what: 'answer_failed' })] },
    ['Hello!', 'Blue.', 'And red.', 'Which color?'],
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

test.each<[what: string, changes: Partial<LeadDetail>, isOffered: boolean]>([
  ['the last answer', { events: again, hasEarlier: true }, true],
  ['what the visitor wrote last', { events: [answer, note], hasEarlier: true }, true],
  ['nothing', { events: [answer, ...again], hasEarlier: true }, false],
  ['no part', { events: [...again.slice(1), { ...answer, id: 8 }], hasEarlier: true }, false],
])(
  'below an answer, earlier words can be loaded if %s of what belongs there is missing',
  (_what, changes, isOffered) => {
    const { html } = show(<SinceLastAnswer lead={{ ...lead, ...changes }} />)

    expect(buttonsIn(html).includes('Show earlier')).toBe(isOffered)
  },
)

test('an address adds nothing to the email that its link begins, and leads back to the same list', () => {
  const hostile = { email: 'yael?bcc=b&c=%41@example.com', phone: 'call me', website: 'none' }
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...hostile })
  const { html } = show(<OpenLead />, '/Q-1?view=won')

  expect(allIn(html, /href="([^"]*)"/g)).toEqual([
    '/inbox?view=won',
    'mailto:yael%3Fbcc%3Db%26c%3D%2541@example.com',
  ])
})

const pair = ['Add a note', 'Copy the request']
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
  expect(buttonsIn(html).includes('Later')).toBe(changes.state !== 'spam')
})

test.each<[string, Partial<LeadDetail>, boolean]>([
  ['is stuck', { stuckSince, state: 'answered' }, true],
  ['did not arrive', { trouble: bounced }, true],
  ['may have a wrong address', { addressDoubt: doubt }, true],
  ['did not arrive, but was answered', { trouble: bounced, state: 'answered' }, false],
  ['is fine', {}, false],
])('a request whose answer %s: is a call the first step? %j', (_what, changes, isCallFirst) => {
  queryClient.setQueryData(keys.lead('Q-1'), { ...lead, ...changes, phone: '(614) 555-0142' })

  const { html, text } = show(<OpenLead />)
  expect(text.includes('|Call|Reply|')).toBe(isCallFirst)
  // The button, and the number among the details.
  expect(html.match(/href="tel:/g)).toHaveLength(2)
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

test('where an answer was to go is asked again once somebody else has written since', () => {
  const camille = 'camille@work.example'
  const sheet = (id: number, who: string) => {
    const reply = { ...lead, lastReply: event({ id, who }), template: '', attached: [] }
    const { html, text } = show(<ReplySheet lead={reply} onClose={() => {}} />)
    return [allIn(html, /id="recipient"[^>]*value="([^"]*)/g), allIn(text, /([^|]*\(.*?\))/g)]
  }
  const fromCamille = [`${camille} (wrote last)`, `${lead.email} (on the request)`]
  expect(sheet(3, camille)).toEqual([[], fromCamille])
  queryClient.setQueryData(keys.typed('to', 'Q-1'), { text: camille, after: 3 })
  for (const id of [3, 4]) expect(sheet(id, camille)).toEqual([[camille], fromCamille])

  const kept = [`${camille} (chosen before)`, `${lead.email} (on the request)`]
  for (const who of ['ada@example.com', '']) expect(sheet(4, who)).toEqual([[], kept])
  queryClient.setQueryData(keys.typed('to', 'Q-1'), { text: lead.email, after: 3 })
  expect(sheet(4, 'ada@example.com')).toEqual([[lead.email], []])
})

test('an answer that was undone, or is older than the last reply, does not decide where the next one goes', () => {
  const lastReply = event({ id: 3, who: 'camille@work.example' })
  const answer = event({ ...byAnna, id: 5, recipient: 'ada@example.com' })
  const undo = event({ ...byAnna, id: 6, what: 'answer_undone', undoes: 5 })
  const isAsked = (...events: LeadDetail['events']) => {
    const reply = { ...lead, lastReply, events, template: '', attached: [] }
    return !show(<ReplySheet lead={reply} onClose={() => {}} />).html.includes('id="recipient"')
  }

  expect([isAsked(answer), isAsked(answer, undo), isAsked({ ...answer, id: 2 })]).toEqual([false, true, true])
})
