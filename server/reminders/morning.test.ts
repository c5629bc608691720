import { beforeEach, expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { writeNote } from '../database/notes.ts'
import { saveDraft } from '../leads/answers/drafts.ts'
import { noteLead, undoChange } from '../leads/change/change-lead.ts'
import { followUp, markLead, markResult } from '../leads/change/mark-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { isOnPostgres, useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools, refusal, storeLeads } from '../proof/testing/leads.ts'
import {
  closing,
  march,
  morningsIn,
  OWNERS,
  offline,
  opening,
  REPLY_MINUTES,
  reminderTools,
} from '../proof/testing/reminder-tools.ts'

const site = useTestApp({ mailTo: OWNERS })
const { submit: store, suspect } = leadTools(site)
const { answer } = answerTools(site)
const { at, changeOf, mark, greet, deliver, greetAndSend } = reminderTools(site)

const [OWNER = ''] = OWNERS
/** Stores a lead and sends its notice. */
const submit = async (changes = {}) => {
  const reference = await store(changes)
  await deliver()
  return reference
}
/** The subjects of the emails to one owner. */
const subjects = (emails: readonly Message[], owner = OWNER) =>
  emails.filter(({ to }) => to === owner).map(({ subject }) => subject)
const open = async () =>
  (await site.db.selectFrom('leads').select('reference').where('state', '=', 'open').execute()).map(
    ({ reference }) => reference,
  )
/** The parts of the plain text, by their titles. */
const partsOf = ({ text }: Message) =>
  Object.fromEntries(
    text
      .split(/\n\n(?=[A-Z][\w ]+:\n)/)
      .slice(1)
      .map((part) => part.split(/:\n(.*)/s)),
  )

// A Monday. The email of that day has been sent.
beforeEach(async () => {
  at(march('02T10:00'))
  await greet()
})

test('when the office opens, each owner gets one email: follow-ups with their notes, who is late, own drafts, and answers that did not arrive', async () => {
  const [ada, grace, hedy, joan, kay, mary, stuck] = [
    await submit(),
    await submit({ firstName: 'Grace' }),
    await submit({ firstName: 'Hedy' }),
    await submit({ firstName: 'Joan' }),
    await submit({ firstName: 'Kay', message: 'A new barn' }),
    await submit({ firstName: 'Mary', phone: '(312) 555-0199', message: 'A new\nroof' }),
    await submit({ firstName: 'Stephanie', email: 'stephanie@example.com' }),
  ]
  await suspect(await submit({ firstName: 'Spam' }))
  for (const text of ['Call today.', 'Call after 10.'])
    await noteLead(site.inboxDeps, { ...(await changeOf(ada)), key: crypto.randomUUID(), text })
  for (const reference of [ada, kay])
    await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: march('03T14:00').toISOString() })
  await mark(grace)
  const draft = async (reference: string, text: string) =>
    saveDraft(site.inboxDeps, { ...(await changeOf(reference)), text, base: null })
  await draft(grace, 'And the')
  await answer(hedy)
  await draft(hedy, 'Again:')
  await draft(joan, 'Never mind')
  await markResult(site.inboxDeps, { ...(await changeOf(joan)), result: 'lost' })
  await answer(stuck, { key: crypto.randomUUID() })
  site.advanceClock(60_000)
  const refuse = ({ to }: Message) => {
    if (to === 'ada@example.com') throw refusal('550 5.1.1 no such user')
    if (to === 'stephanie@example.com') throw refusal('452 4.2.2 mailbox full')
  }
  await deliver(refuse)
  const answers = site.db.updateTable('outbox').where('kind', '=', 'answer')
  await answers.set({ attempts: 9 }).where('state', '=', 'queued').execute()
  const leads = site.db.updateTable('leads')
  await leads.set({ trouble: 'Before the follow-up' }).where('reference', '=', ada).execute()
  const bounced = { kind: 'visitor_receipt', state: 'failed', recipient: 'ada@example.com' } as const
  const receipt = site.db.updateTable('outbox').set(bounced)
  const { id } = await leadTools(site).read(mary)
  const [email] = await receipt.where('lead_id', '=', id).returning('id').execute()
  const attempts = site.db.updateTable('outbox_attempts').set({ outcome: 'bounced' })
  await attempts.where('outbox_id', '=', Number(email?.id)).execute()
  at(opening('03', -1))
  await greet()
  expect(morningsIn(await deliver(refuse))).toEqual([])
  at(opening('03'))
  await greet(3)
  // What an owner has begun since then isn't forgotten.
  at(opening('03', 5))
  await draft(mary, 'Dear Mary')
  const [mine, other, ...more] = morningsIn(await deliver(refuse)).toSorted((a) => (a.to === OWNER ? -1 : 1))

  expect(more).toEqual([])
  expect(mine?.subject).toBe(
    'Today: 2 follow-ups, 1 late reply, 1 unsent draft, 2 answers that did not arrive',
  )
  expect(other?.subject).toBe('Today: 2 follow-ups, 1 late reply, 2 answers that did not arrive')
  const parts = partsOf(mine as Message)
  expect(parts['Follow up today']).toMatch(
    /^\n- Ada Lovelace.*\n {2}Tuesday, March 3 at 2pm E.T\n {2}“Call after 10\.”.*“A new barn”/s,
  )
  expect(parts['Late replies']?.trim().split(/\n */)).toEqual([
    ...[
      '- Mary Lovelace, Analytical Roofing',
      expect.stringMatching(/ over\. The address may be wrong: call instead\.$/),
      '“A new roof”',
      'Call (312) 555-0199: tel:3125550199',
    ],
    `Reply: https://agency.example/inbox/${mary}?open=reply`,
    `I answered this: https://agency.example/inbox/${mary}?open=done`,
  ])
  expect(parts['Your unsent drafts']).toMatch(/^\n- Grace.*“And the”.*\n {2}Finish it: \S+open=reply/s)
  expect(parts['Answers that did not arrive']).toMatch(
    /^\n- Hedy.*mailbox does not exist.*- Stephanie.*The answer is stuck.*\n {2}Correct it: \S+open=reply\n\nOpen the inbox: /s,
  )
})

test('the email comes each workday on which there is something to do, and always on Monday, but not on other days', async () => {
  await submit()
  at(closing('02', -60))
  await submit({ firstName: 'Grace' })
  const times = [
    ...[opening('03'), opening('03', 1), closing('03', 60), opening('04', 90)],
    ...[march('07T10:00'), opening('09', -1), opening('09'), march('14T10:00'), opening('16')],
  ]
  const sent: string[] = []
  const texts: string[] = []
  for (const time of times) {
    at(time)
    if (sent.length === 4) for (const reference of await open()) await mark(reference)
    const emails = await greetAndSend()
    texts.push(...emails.map(({ text }) => text))
    sent.push(...emails.map(({ messageId, subject }) => `${messageId.slice(0, 21)} ${subject}`))
  }

  expect(sent.filter((_one, index) => index % 2 === 0)).toEqual([
    '<morning-2026-03-03.0 Today: 1 late reply, 1 reply due',
    '<morning-2026-03-04.0 Today: 2 late replies',
    '<morning-2026-03-09.0 Last week: 2 requests',
    '<morning-2026-03-16.0 Last week: 0 requests',
  ])
  expect(sent).toHaveLength(8)
  expect(texts[4]).toMatch(
    /Requests: +2\nAnswered: +2\nTime to answer: half within \d+ h \(office hours\)\nPromise kept: +0 of 2\n/,
  )
  expect(texts[4]).not.toContain('Action needed')
  const isOfWeek = texts.map((text) => text.includes('This email comes every Monday.'))
  expect(isOfWeek).toEqual([...Array(4).fill(false), ...Array(4).fill(true)])
  if (!isOnPostgres) expect(texts[4]).toMatch(/\nThe last backup is on /)
})

test('on Monday, too, the email says by name and time who is due that day, with the newest words of each, and who gets a call', async () => {
  at(march('06T17:30'))
  const [ada, ben] = [await submit(), await submit({ firstName: 'Ben', message: 'A new barn' })]
  const later = await submit({ firstName: 'Later' })
  const { id } = await leadTools(site).read(ada)
  const words = {
    lead_id: id,
    at: site.clock.now.toISOString(),
    what: 'reply',
    who: 'ada@example.com',
  } as const
  for (const text of ['We want to go ahead.', 'Have a nice day!'])
    await site.db
      .insertInto('lead_events')
      .values({ ...words, text })
      .execute()
  const call = {
    ...(await changeOf(later)),
    at: march('09T14:00').toISOString(),
    note: 'No answer. Try again.',
  }
  await followUp(site.inboxDeps, call)
  // What was promised for another day isn't for this morning.
  const due_at = march('10T10:00').toISOString()
  await site.db
    .updateTable('leads')
    .set({ due_at })
    .where('reference', '=', await submit())
    .execute()
  at(opening('09'))

  const [email] = await greetAndSend()

  expect(email?.subject).toBe('Today: 1 follow-up, 2 replies due')
  const parts = partsOf(email as Message)
  const by = `Reply by ${officeTimeInWords(Date.parse((await leadTools(site).read(ben)).due_at))}`
  expect(parts['Replies promised today']).toContain(
    `- Ada Lovelace, Analytical Roofing\n  ${by}\n  “Have a nice day!” and 1 message before it\n`,
  )
  expect(parts['Replies promised today']).toMatch(/- Ben Lovelace.*\n.*\n {2}“A new barn”\n/)
  expect(parts['Follow up today']).toMatch(
    /- Later Lovelace.*\n {2}Monday, March 9 at 2pm E.T\n {2}“No answer\. Try again\.”/,
  )
})

test('of a follow-up, the email quotes what was written last: a note, or a message', async () => {
  const reference = await submit()
  const note = { ...(await changeOf(reference)), key: crypto.randomUUID(), text: 'Has to think about it.' }
  await noteLead(site.inboxDeps, note)
  const { id } = await leadTools(site).read(reference)
  const reply = {
    lead_id: id,
    at: site.clock.now.toISOString(),
    what: 'reply',
    who: 'ada@example.com',
  } as const
  await site.db
    .insertInto('lead_events')
    .values({ ...reply, text: 'I have decided.' })
    .execute()
  await site.db.updateTable('leads').set({ replied_at: reply.at }).execute()
  await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: march('03T14:00').toISOString() })
  at(opening('03'))

  expect(partsOf((await greetAndSend())[0] as Message)['Follow up today']).toContain('“I have decided.”')
})

test('of a follow-up that was restored by an undo, the email quotes its note, not that of what was undone', async () => {
  const reference = await submit()
  const time = march('03T14:00').toISOString()
  await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: time, note: 'Send the quote.' })
  const by = { at: time, by: 'phone', note: 'Wrong person.' } as const
  await markLead(site.inboxDeps, { ...(await changeOf(reference)), state: 'answered', answered: by })
  await undoChange(site.inboxDeps, await changeOf(reference))
  at(opening('03'))

  const text = partsOf((await greetAndSend())[0] as Message)['Follow up today']
  expect(text).toContain('“Send the quote.”')
})

test('of a long list, the email says how long it is, and names 20 people', async () => {
  await storeLeads(site.db, ...Array(22).fill({ created_at: site.clock.now.toISOString() }))
  at(opening('03'))

  const [email] = await greetAndSend()

  expect(email?.subject).toBe('Today: 20+ late replies')
  expect(email?.text.match(/I answered this:/g)).toHaveLength(20)
  expect(email?.text).toContain('The inbox shows the others.')
})

test('after a Monday on which the server was down, the figures come on Tuesday', async () => {
  // As after a month, and with a day that came from a wrong clock.
  await writeNote(site.db, 'morning_days', [...Array(30).fill('2026-02-27'), '2027-03-03'])
  at(opening('10'))
  expect(subjects(await greetAndSend())).toEqual(['Last week: 0 requests'])
  expect(await greetAndSend()).toEqual([])
  at(opening('11'))
  expect(await greetAndSend()).toEqual([])
})

test('after downtime, the email says who is late by the time when it is written', async () => {
  at(closing('03', -60))
  await submit()
  const time = opening('04', REPLY_MINUTES)
  at(time)
  const [email] = await greetAndSend()

  expect(email).toMatchObject({ subject: 'Today: 1 late reply', date: time })
})

test.each([
  [-60, 1],
  [60, 0],
])(
  'a server that starts %i minutes after the office opens sends %i emails that day',
  async (start, emails) => {
    await submit()
    await site.db.deleteFrom('settings').where('name', '=', 'morning_days').execute()
    at(opening('04', start))
    await greet()
    at(opening('04', 90))
    expect(subjects(await greetAndSend())).toHaveLength(emails)
  },
)

const [tuesday, wednesday] = [`03T${hours.opens}`, `04T${hours.opens}`]

test.each([
  ['forward and back', ['03T10:00', '04T10:00', '03T10:30', wednesday], ['03T10:00', '04T10:00']],
  ['a year ahead and back', [tuesday, '03T10:00', wednesday], [tuesday, wednesday]],
])('if the clock jumps %s, exactly one email is still sent each workday', async (how, times, expected) => {
  await submit()
  const sent: string[] = []
  for (const time of times) {
    at(march(time))
    if ((await greetAndSend()).length > 0) sent.push(time)
    if (how.includes('year') && time === '03T10:00') {
      at(new Date('2027-03-03T15:00Z'))
      await greetAndSend()
    }
  }
  expect(sent).toEqual(expected)
})

test('a queued email leaves out who has been answered, and is not sent if it has nothing to say or its day is over, except the figures of a week', async () => {
  const [first, second] = [await submit(), await submit({ firstName: 'Grace' })]
  at(opening('03'))
  await greet()
  await deliver(offline)
  await mark(first)
  at(opening('03', 30))
  expect(subjects(morningsIn(await deliver()))).toEqual(['Today: 1 late reply'])

  at(opening('04'))
  await greet()
  await mark(second)
  expect(morningsIn(await deliver())).toEqual([])

  await submit()
  await suspect(await submit({ firstName: 'Spam' }))
  at(opening('05'))
  await greet()
  at(opening('06', -60))
  expect(morningsIn(await deliver())).toEqual([])

  at(opening('09'))
  await greet()
  at(opening('10', -60))
  const [late] = morningsIn(await deliver())
  expect(late?.subject).toBe('Last week: 3 requests')
  expect(late?.text).toMatch(
    /Requests: +3\nAnswered: +2\n.*\nPromise kept: +\d of 3\nSuspected spam to check: +1\n/,
  )
})

test('without reminders, the email names nobody; what is wrong with the server is also said on weekends', async () => {
  await submit()
  at(opening('03'))
  const quiet = { sendsReminders: false }
  await greet(1, quiet)
  expect(morningsIn(await deliver())).toEqual([])
  // Reminders are turned off after the email was queued.
  at(opening('04'))
  await greet()
  expect(morningsIn(await deliver(undefined, quiet))).toEqual([])
  await site.db.updateTable('outbox').set({ state: 'failed' }).where('kind', '=', 'owner_notice').execute()
  at(opening('07'))
  const [saturday] = await greetAndSend()
  at(opening('09'))
  await greet(1, quiet)
  const [monday] = morningsIn(await deliver())

  expect(saturday?.subject).toBe('Action needed at agency.example')
  expect(saturday?.text).toMatch(/Failed emails to you: 2\..*leads -- resend --failed/)
  expect(monday?.subject).toBe('Action needed. Last week: 1 request')
  expect(`${saturday?.text}${monday?.text}`).not.toMatch(/Ada|late/)
})

test("an outage that has delayed nothing but Monday's email is no news", async () => {
  at(opening('02'))
  await greet()
  await deliver()
  at(opening('09'))
  await greet()
  await deliver(offline)

  at(opening('09', 2))
  const texts = morningsIn(await deliver()).map(({ text }) => text)
  expect(texts).toHaveLength(OWNERS.length)
  expect(texts.join()).not.toContain('another try')
})

test('what is wrong with the server is read when the email is sent: what is over is left out, and no words of a mail server are stored', async () => {
  at(opening('03'))
  await mark(await submit())
  const failed = site.db.updateTable('outbox').where('kind', '=', 'owner_notice')
  await failed.set({ state: 'failed' }).execute()
  await greet()
  const { content } = await site.db
    .selectFrom('outbox')
    .select('content')
    .where('kind', '=', 'morning')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(Object.keys(JSON.parse(`${content}`))).toEqual(['at', 'hasLists', 'week'])
  await failed.set({ state: 'sent' }).execute()
  // It is late now, but that is over when it arrives.
  at(opening('03', 60))
  expect(morningsIn(await deliver())).toEqual([])
})
