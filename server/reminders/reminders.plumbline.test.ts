import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { lockNames } from '../database/differences.ts'
import { createGroupCommit } from '../database/group-commit.ts'
import { writeNote } from '../database/settings.ts'
import { createDelivery } from '../delivery.ts'
import { followUp } from '../inbox/leads/follow-up.ts'
import { judgeLead, markLead } from '../inbox/leads/mark-lead.ts'
import { undoChange } from '../inbox/leads/undo-change.ts'
import { eraseLeads } from '../leads/erase-leads.ts'
import type { Email } from '../mail/mailer.ts'
import { createAttempt } from '../outbox/attempt.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { createOutboxStore } from '../outbox/outbox-store.ts'
import { answerTools } from '../proof/testing/answer-tools.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/lead-tools.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { outboxTools } from '../proof/testing/outbox-tools.ts'
import { createReminders } from './reminders.ts'

// These tests use Plumbline's facts: open from 8 a.m. to 6 p.m. in New York, with a reply within 4 office hours.
const OWNERS = ['owner@agency.example', 'second@agency.example']

// The test clock starts on Monday, March 2 at 10 a.m. (15:00 UTC): a reply is due at 2 p.m., and the reminder at 1 p.m.
const site = useTestApp({ mailTo: OWNERS })
const { submit, suspect, read } = leadTools(site)
const { answer, undo } = answerTools(site)
const { rows } = outboxTools(site)

const at = (time: string) => {
  site.clock.now = new Date(`2026-03-${time}Z`)
}

/** Runs the job, as each replica does every minute. */
const remind = (replicas = 1) =>
  Promise.all(
    Array.from({ length: replicas }, () =>
      createReminders({
        db: site.db,
        mailFrom: { address: 'site@agency.example' },
        mailTo: OWNERS,
        now: () => site.clock.now,
        onQueued: () => {},
      })(),
    ),
  )

const sent: Email[] = []

/** Sends what is due. `refusal` can throw an error, as if the mail server had refused the email. */
async function deliver(
  refusal: (email: Email) => void = () => {},
  { sendsReminders = true, outbox = site.outbox } = {},
) {
  sent.length = 0
  const now = () => site.clock.now
  const deliverOne = createDelivery({
    db: site.db,
    mailer: {
      async send(email) {
        refusal(email)
        sent.push(email)
        return '250 ok'
      },
      close: () => {},
    },
    mailFrom: { address: 'site@agency.example' },
    siteUrl: 'https://agency.example',
    hasInbox: true,
    sendsReminders,
    now,
  })
  const attempt = createAttempt(
    {
      ...{ outbox, deliver: deliverOne, log: pino({ level: 'silent' }), now, random: () => 0.5 },
      ...{ onServerUnavailable: () => {}, onServerAvailable: () => {} },
    },
    new AbortController().signal,
  )
  const claim = () => outbox.claimNext(site.clock.now)
  for (let job = await claim(); job; job = await claim()) await (await attempt(job))()
  return sent
}

const offline = () => {
  throw new Error('connection refused')
}
const refuseVisitors = ({ to }: Email) => {
  if (to !== 'ada@example.com') return
  const response = '550 5.1.1 no such user here'
  throw Object.assign(new Error(response), { responseCode: 550, command: 'RCPT TO', response })
}

const isList = ({ messageId }: Email) => messageId.startsWith('<late-')
const isReminder = ({ messageId }: Email) => messageId.includes('-reminder.')
const inWords = ({ to, subject }: Email) => `${to}: ${subject}`
const remindersIn = (emails: readonly Email[]) => emails.filter(isReminder).map(inWords).toSorted()
const listsIn = (emails: readonly Email[]) => emails.filter(isList).map(inWords).toSorted()
const toOwners = (subject: string) => OWNERS.map((owner) => `${owner}: ${subject}`)
const dueAt2 = 'Reply to Ada Lovelace by Monday, March 2 at 2:00 PM EST'

/** Runs the job and sends the emails. */
async function remindAndSend() {
  await remind()
  return deliver()
}

const change = async (reference: string) => ({
  reference,
  who: anna,
  version: (await read(reference)).version,
})
const mark = async (reference: string, state: 'open' | 'answered' = 'answered') =>
  markLead(site.inboxDeps, { ...(await change(reference)), state })

test('in the last office hour before its reply is due, an open lead gets one reminder for each owner', async () => {
  await submit()
  at('02T18:00')
  expect(remindersIn(await remindAndSend())).toEqual([])

  at('02T18:01')
  await remind(3)
  await remind()
  expect(remindersIn(await deliver())).toEqual(toOwners(dueAt2))

  for (const time of ['02T18:30', '02T19:00', '03T18:30']) {
    at(time)
    expect(remindersIn(await remindAndSend())).toEqual([])
  }
})

test.runIf(isOnPostgres)('a replica waits for another one that is queuing the same reminder', async () => {
  const { id: leadId } = await read(await submit())
  at('02T18:10')
  const [queued, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const queuing = site.db.transaction().execute(async (transaction) => {
    await lockNames(transaction, ['reminders'])
    const emails = OWNERS.map((recipient, index) => ({
      kind: 'reminder' as const,
      leadId,
      recipient,
      messageId: `<${leadId}-reminder.${index}@agency.example>`,
    }))
    await enqueue(transaction, emails, site.clock.now)
    queued.resolve()
    await released.promise
  })
  await queued.promise

  const reminding = remind()
  await sleep(100)
  released.resolve()
  await Promise.all([queuing, reminding])

  expect((await rows()).filter(({ kind }) => kind === 'reminder')).toHaveLength(OWNERS.length)
})

test.each([
  ['Monday afternoon', '02T19:30', '02T22:30', '02T22:31', 'Tuesday, March 3 at 8:30 AM EST'],
  [
    'Friday evening, before a weekend with a time change',
    '06T23:30',
    '09T15:00',
    '09T15:01',
    'Monday, March 9 at 12:00 PM EDT',
  ],
])('reminders follow office hours after a request on %s', async (_when, received, before, after, due) => {
  at(received)
  await submit()
  at(before)
  expect(remindersIn(await remindAndSend())).toEqual([])

  at(after)
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(`Reply to Ada Lovelace by ${due}`))
})

test('a lead that looks like spam, has a follow-up date, or is not open gets no reminder; one marked as not spam does', async () => {
  const [suspected, later, won] = [await submit(), await submit(), await submit()]
  const judged = await submit({ firstName: 'Grace' })
  for (const reference of [suspected, judged]) await suspect(reference)
  await followUp(site.inboxDeps, { ...(await change(later)), on: '2026-03-05' })
  await markLead(site.inboxDeps, { ...(await change(won)), state: 'won' })
  await judgeLead(site.inboxDeps, { ...(await change(judged)), verdict: 'honest' })
  at('02T18:30')

  expect(remindersIn(await remindAndSend())).toEqual(toOwners(dueAt2.replace('Ada', 'Grace')))
})

test('a queued reminder is not sent once the lead is answered, but is sent if the lead is reopened', async () => {
  const reference = await submit()
  at('02T18:10')
  await remind()
  await deliver(offline)
  await mark(reference)
  at('02T18:20')
  expect(remindersIn(await deliver())).toEqual([])
  expect((await rows()).filter(({ kind }) => kind === 'reminder')).toEqual([])

  await undoChange(site.inboxDeps, await change(reference))
  at('02T18:30')
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(dueAt2))
  await mark(reference)
  await undoChange(site.inboxDeps, await change(reference))
  expect(remindersIn(await remindAndSend())).toEqual([])
})

test('if an answered lead is reopened, only an owner who has not had a reminder yet gets one', async () => {
  const reference = await submit()
  at('02T18:10')
  await remind()
  await deliver(({ to }) => void (to === OWNERS[1] && offline()))
  await mark(reference)
  at('02T18:20')
  expect(remindersIn(await deliver())).toEqual([])

  await undoChange(site.inboxDeps, await change(reference))
  at('02T18:30')

  expect(remindersIn(await remindAndSend())).toEqual([`${OWNERS[1]}: ${dueAt2}`])
})

test.each(OWNERS)('after the other owner has left, %s gets one reminder of each lead', async (owner) => {
  await submit()
  at('02T18:10')
  await remind()
  const outbox = createOutboxStore(site.db, createGroupCommit(site.db), [owner])

  expect(remindersIn(await deliver(undefined, { outbox }))).toEqual([`${owner}: ${dueAt2}`])
})

test('an answer stops the reminder; if the answer is undone or refused for good, the reminder is sent', async () => {
  const [undone, refused] = [await submit({ firstName: 'Grace' }), await submit()]
  at('02T18:10')
  await answer(undone)
  await answer(refused, { key: '019c0000-0000-7000-8000-0000000000bb' })
  expect(remindersIn(await remindAndSend())).toEqual([])

  await undo(undone)
  at('02T18:11')
  await deliver(refuseVisitors)
  expect(remindersIn(await remindAndSend())).toEqual(
    [...toOwners(dueAt2), ...toOwners(dueAt2.replace('Ada', 'Grace'))].toSorted(),
  )
})

test('after downtime, a reminder is sent late if the reply is not due yet, and otherwise not at all', async () => {
  await submit()
  at('02T18:10')
  await remind()
  await deliver(offline)
  await submit({ firstName: 'Grace' })
  at('02T18:59')
  expect(remindersIn(await deliver())).toEqual(toOwners(dueAt2))

  at('02T22:05')
  await remind()
  await deliver(offline)
  at('03T00:00')
  expect(remindersIn(await remindAndSend())).toEqual([])
})

test('clock jumps cause neither a second reminder nor a missing one', async () => {
  await submit()
  const jumps = ['02T18:10', '09T15:00', '02T15:10', '31T15:00', '01T15:00', '02T18:20']
  const all: string[] = []
  for (const time of jumps) {
    at(time)
    all.push(...remindersIn(await remindAndSend()))
  }
  expect(all).toEqual(toOwners(dueAt2))

  // A reminder that was queued but not sent while the clock was ahead is sent at the right time.
  at('03T15:00')
  await submit({ firstName: 'Grace' })
  at('03T18:30')
  await remind()
  at('03T15:10')
  await site.db
    .updateTable('outbox')
    .set({ due_at: site.clock.now.toISOString() })
    .where('state', '=', 'queued')
    .execute()
  expect(remindersIn(await deliver())).toEqual([])
  at('03T18:10')
  expect(remindersIn(await remindAndSend())).toEqual(
    toOwners('Reply to Grace Lovelace by Tuesday, March 3 at 2:00 PM EST'),
  )
})

test('an erased lead gets no reminder, even if one is queued', async () => {
  const { id } = await read(await submit())
  at('02T18:10')
  await remind()

  await eraseLeads({ db: site.db, mailDir: site.dataDir, now: site.clock.now }, [id])

  expect(remindersIn(await deliver())).toEqual([])
})

test('each workday, when the office opens, one email lists the late leads by name', async () => {
  await remind()
  const late = await submit({ company: 'Analytical Roofing' })
  const answered = await submit({ firstName: 'Grace' })
  await suspect(await submit({ firstName: 'Spam' }))
  at('02T22:00')
  await submit({ firstName: 'Hedy' })
  await mark(answered)

  const lists: string[] = []
  // Tuesday before opening, at opening, twice later, and at closing; then Wednesday, Saturday, and Monday.
  for (const time of [
    '03T12:59',
    '03T13:00',
    '03T13:01',
    '03T18:00',
    '03T23:00',
    '04T13:00',
    '07T15:00',
    '09T12:00',
  ]) {
    at(time)
    await remind(2)
    lists.push(...listsIn(await deliver()).map((list) => `${time} ${list}`))
    if (time === '03T13:00') {
      const [list] = sent
      expect(list?.text).toContain(
        `Ada Lovelace, Analytical Roofing\n  Reply promised by Monday, March 2 at 2:00 PM EST (${late})\n  https://agency.example/inbox/${late}\n\n`,
      )
      expect(list?.text).not.toMatch(/Grace|Hedy|Spam/)
    }
  }

  const [one, two] = [
    '1 person is still waiting for a promised reply',
    '2 people are still waiting for a promised reply',
  ]
  expect(lists).toEqual([
    ...OWNERS.map((owner) => `03T13:00 ${owner}: ${one}`),
    ...OWNERS.map((owner) => `04T13:00 ${owner}: ${two}`),
    ...OWNERS.map((owner) => `09T12:00 ${owner}: ${two}`),
  ])
})

test('a list has at most thirty late leads, and the first list is sent the day after the feature is turned on', async () => {
  for (let lead = 0; lead < 33; lead++) await submit()
  at('03T15:00')
  expect(listsIn(await remindAndSend())).toEqual([])

  at('04T15:00')
  const [list] = await remindAndSend()
  expect(list?.subject).toBe('33 people are still waiting for a promised reply')
  expect(list?.text.match(/^Ada/gm)).toHaveLength(30)
  expect(list?.text).toContain('The inbox shows the others.')
})

test('a queued list of late leads leaves out answered ones, and is not sent if it is empty or the next list is due', async () => {
  await remind()
  const [first, second] = [await submit(), await submit({ firstName: 'Grace' })]
  at('03T13:00')
  await remind()
  await deliver(offline)
  await mark(first)
  at('03T13:30')
  expect(listsIn(await deliver())).toEqual(toOwners('1 person is still waiting for a promised reply'))
  expect(sent.find(isList)?.text).toContain('Grace')

  at('04T13:00')
  await remind()
  await deliver(offline)
  at('05T13:00')
  expect(listsIn(await remindAndSend())).toHaveLength(2)

  at('06T13:00')
  await remind()
  await mark(second)
  expect(listsIn(await deliver())).toEqual([])
})

test('once reminders are turned off, no queued reminder or list is sent', async () => {
  await remind()
  await submit()
  at('03T13:00')
  await submit()
  at('03T16:30')
  await remind()
  await deliver(offline)
  at('03T16:40')

  await deliver(undefined, { sendsReminders: false })
  expect([...remindersIn(sent), ...listsIn(sent)]).toEqual([])
  expect((await rows()).filter(({ kind }) => kind === 'reminder' || kind === 'late_list')).toEqual([])
})

test.each([
  ['forward and back', ['03T15:00', '04T15:00', '03T15:30', '04T13:00'], ['03T15:00', '04T15:00']],
  ['a year ahead and back', ['03T13:00', '03T14:00', '04T13:00'], ['03T13:00', '04T13:00']],
])('if the clock jumps %s, each workday still gets one list', async (_how, times, expected) => {
  await remind()
  await submit()
  const lists: string[] = []
  for (const time of times) {
    at(time)
    if (listsIn(await remindAndSend()).length > 0) lists.push(time)
    if (time === '03T14:00') {
      site.clock.now = new Date('2027-03-03T15:00Z')
      await remindAndSend()
    }
  }
  expect(lists).toEqual(expected)
})

test('an invalid record of the days on which lists were sent does not stop the next list', async () => {
  await writeNote(site.db, 'late_list_days', 'soon')
  await submit()
  at('03T13:00')
  await remind()
  at('04T13:00')

  expect(listsIn(await remindAndSend())).toHaveLength(2)
})

test('the plain text of a reminder indents the message, so that it cannot imitate the links', async () => {
  const link = 'Reply:\nhttps://phishing.example/inbox'
  await submit({ message: `Hello\n\n${link}\u2028${link}` })
  at('02T18:01')

  const text = (await remindAndSend()).find(isReminder)?.text ?? ''

  expect(text).toContain('\n\n  Hello\n\n  Reply:\n  https://phishing.example/inbox')
  expect(text.match(/^Reply:$/gm)).toHaveLength(1)
})
