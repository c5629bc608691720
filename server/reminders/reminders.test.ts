import { beforeEach, expect, test } from 'vitest'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { undoChange } from '../leads/change/change-lead.ts'
import { followUp, markLead, markResult, nothingToAnswer } from '../leads/change/mark-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools, refusal, storeLeads } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import {
  beforeDue,
  closing,
  march,
  OWNERS,
  offline,
  opening,
  REPLY_MINUTES,
  reminderOf,
  remindersIn,
  reminderTools,
  toOwners,
} from '../proof/testing/reminder-tools.ts'
import { findNews } from '../push/push-news.ts'
import { stillToRemind } from './reminders.ts'

const site = useTestApp({ mailTo: OWNERS })

const { submit, suspect } = leadTools(site)

const { answer, undo } = answerTools(site)

const { rows } = outboxTools(site)

const { at, changeOf, mark, remind, deliver, remindAndSend } = reminderTools(site)
const { takeIn } = mailboxTools(site)

beforeEach(() => at(march('02T10:00')))

const refuseVisitors = ({ to }: Message) => {
  if (to === 'ada@example.com') throw refusal('550 5.1.1 no such user here')
}

test('in the last office hour before its reply is due, an open lead gets one reminder for each owner', async () => {
  await submit()
  at(beforeDue(60))
  expect(remindersIn(await remindAndSend())).toEqual([])

  at(beforeDue(59))
  await remind(3)
  await remind()
  const emails = await deliver()
  expect(remindersIn(emails)).toEqual(toOwners(reminderOf('Ada')))
  expect(emails.at(-1)?.text).toMatch(
    /\n-- \nBy .*\nReply: .*\?open=reply\nCall: tel:.*\nI answered this: .*\?open=done/,
  )

  for (const time of [beforeDue(30), beforeDue(0), beforeDue(30, '03')]) {
    at(time)
    expect(remindersIn(await remindAndSend())).toEqual([])
  }
})

test('reminders follow office hours: half of the last hour can be on the day before', async () => {
  at(closing('02', 30 - REPLY_MINUTES))
  await submit()
  at(closing('02', -30))
  expect(remindersIn(await remindAndSend())).toEqual([])

  at(closing('02', -29))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada', opening('03', 30))))
})

test('a lead that looks like spam, has a follow-up, is not open, or is about to be listed gets no reminder; one marked as not spam does', async () => {
  const [suspected, later, won, listed] = [await submit(), await submit(), await submit(), await submit()]
  // An email program would decode "=?".
  const judged = await submit({ firstName: 'Gra=?ce' })
  for (const reference of [suspected, judged]) await suspect(reference)
  await followUp(site.inboxDeps, { ...(await changeOf(later)), at: march('05T10:00').toISOString() })
  await markResult(site.inboxDeps, { ...(await changeOf(won)), result: 'won' })
  await site.db.updateTable('leads').set({ awaits_list: 1 }).where('reference', '=', listed).execute()
  await markLead(site.inboxDeps, { ...(await changeOf(judged)), state: 'open' })
  at(beforeDue(30))

  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Gra= ?ce')))
})

test('a queued reminder is not sent once the lead is answered, but is sent if the lead is reopened', async () => {
  const reference = await submit()
  at(beforeDue(50))
  await remind()
  await deliver(offline)
  await mark(reference)
  at(beforeDue(40))
  expect(remindersIn(await deliver())).toEqual([])
  expect((await rows()).filter(({ kind }) => kind === 'reminder')).toEqual([])

  await undoChange(site.inboxDeps, await changeOf(reference))
  at(beforeDue(30))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada')))
  await mark(reference)
  await undoChange(site.inboxDeps, await changeOf(reference))
  expect(remindersIn(await remindAndSend())).toEqual([])
})

test('a queued reminder is not sent after reminders were turned off', async () => {
  await submit()
  at(beforeDue(50))
  await remind()
  expect(remindersIn(await deliver(undefined, { sendsReminders: false }))).toEqual([])
})

test('an answer stops the reminder; if the answer is undone or refused for good, the reminder is sent', async () => {
  const [undone, refused] = [await submit({ firstName: 'Grace' }), await submit()]
  at(beforeDue(50))
  await answer(undone)
  await answer(refused, { key: '019c0000-0000-7000-8000-0000000000bb' })
  expect(remindersIn(await remindAndSend())).toEqual([])

  await undo(undone)
  at(beforeDue(49))
  await deliver(refuseVisitors)
  expect(remindersIn(await remindAndSend())).toEqual(toOwners('2 people are waiting for your reply'))
})

test('a lead has a reminder for each promise, so also after the person has replied to an answer, and what was sent is kept', async () => {
  const reference = await submit()
  at(beforeDue(50))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada')))
  await mark(reference)
  at(march('03T10:00'))
  await takeIn({ subject: reference, text: 'And the barn?' })
  await deliver()
  at(beforeDue(50, '03'))
  await remind(2)

  const sent = (await deliver()).map(({ to, subject }) => `${to}: ${subject}`)
  expect(sent.toSorted()).toEqual(toOwners(reminderOf('Ada', beforeDue(0, '03'))))
  expect(await remindAndSend()).toEqual([])

  await mark(reference)
  const [{ lead_id } = { lead_id: null }] = await rows()
  expect(await stillToRemind(site.db, [String(lead_id)], site.clock.now)).toEqual([])
  expect((await rows()).filter(({ kind }) => kind === 'reminder')).toHaveLength(4)
})

type Said = readonly [what: 'reply' | 'answered_by_mail' | 'nothing_to_answer', who: string, text: string]
const said = async (reference: string, ...events: Said[]) => {
  const { id } = await leadTools(site).read(reference)
  for (const [what, who, text] of events) {
    const to_value = what === 'nothing_to_answer' ? 'open' : null
    await site.db
      .insertInto('lead_events')
      .values({ lead_id: id, at: site.clock.now.toISOString(), what, who, text, to_value })
      .execute()
  }
}
const [question, thanks, answered, news, colleague, nothing] = [
  ['reply', 'ada@example.com', 'We want to go ahead.\nCan you start in May?'],
  ['reply', 'ada@example.com', 'Have a nice day!'],
  ['answered_by_mail', OWNERS[0] ?? '', 'Yes'],
  ['reply', 'ada@example.com', 'An answered question'],
  ['reply', 'camille@example.net', 'Her colleague'],
  ['nothing_to_answer', OWNERS[0] ?? '', ''],
] as const satisfies Said[]

test.each<[string, Said[], RegExp, string | undefined]>([
  ['the request', [], /^ {2}Ada Lovelace\n\n {2}We need a new site\.\n/, 'ada@example.com'],
  [
    'all that the person has written since the last answer, in full',
    [news, answered, question, thanks, colleague],
    /^ {2}Ada Lovelace\n\n {2}We want to go ahead\.\n {2}Can you start in May\?\n\n {2}Have a nice day!\n\n-- /,
    'ada@example.com',
  ],
  [
    'the request, if only somebody else has written since, and it was never answered',
    [colleague],
    /^ {2}Ada Lovelace\n\n {2}We need a new site\.\n/,
    'ada@example.com',
  ],
  [
    'the request, if it still waits after a message to which there was nothing to answer',
    [thanks, nothing, colleague],
    /^ {2}Ada Lovelace\n\n {2}We need a new site\.\n/,
    'ada@example.com',
  ],
  [
    'the request, if nobody has written since such a message',
    [thanks, nothing],
    /^ {2}Ada Lovelace\n\n {2}We need a new site\.\n/,
    'ada@example.com',
  ],
  [
    'what somebody else has written, with nothing about the person',
    [news, answered, colleague],
    /^ {2}camille@example\.net\n\n {2}From camille@example\.net, not the address of the request\n\n {2}Her colleague\n\n-- (?!.*(?:lovelace|tel:))/is,
    'camille@example.net',
  ],
  [
    'what somebody without a usable address has written',
    [answered, ['reply', '', 'Her words']],
    /^ {2}Somebody\n\n {2}From an unknown address, not the address of the request\n\n {2}Her words\n/,
    undefined,
  ],
])('a reminder quotes %s', async (_what, events, expected, replyTo) => {
  await said(await submit({ message: 'We need a new site.' }), ...events)
  await deliver()
  at(beforeDue(50))

  const email = (await remindAndSend()).at(-1)

  expect(email?.text).toMatch(expected)
  expect(email?.replyTo).toBe(replyTo)
})

test('a shared reminder quotes the newest words of each person, and says how many messages are before them', async () => {
  const [ada, grace] = [await submit(), await submit({ firstName: 'Grace', message: 'A new barn' })]
  await said(ada, news, answered, question, thanks, colleague)
  await said(grace, colleague)
  await said(await submit({ firstName: 'Joan' }), answered, colleague)
  await deliver()
  at(beforeDue(50))

  const text = (await remindAndSend()).at(-1)?.text

  expect(text).toMatch(/- Ada Lovelace.*\n.*Reply by .*\n {2}“Have a nice day!” and 1 message before it\n/)
  expect(text).toMatch(/- Grace Lovelace.*\n.*Reply by .*\n {2}“A new barn”\n/)
  expect(text).toMatch(
    /- Joan Lovelace.*\n.*\. From camille@example\.net, not the address of the request\n {2}“Her colleague”\n/,
  )
  expect(text?.match(/colleague/g)).toHaveLength(1)
})

test.each([
  [6, '1 message'],
  [7, '2 messages'],
])('a reminder of %i messages has the newest five, and says that %s came before', async (length, earlier) => {
  await said(
    await submit(),
    ...Array.from({ length }, (_, index): Said => ['reply', 'ada@example.com', `No. ${index + 1}`]),
  )
  await deliver()
  at(beforeDue(50))

  const text = (await remindAndSend()).at(-1)?.text ?? ''

  const newest = Array.from({ length: 5 }, (_, index) => `No. ${length - 4 + index}`)
  expect(text.match(/No\. \d/g)).toEqual(newest)
  expect(text).toContain(`The inbox shows ${earlier} before this.`)
})

test('after downtime, a reminder is sent late if the reply is not due yet, and otherwise not at all', async () => {
  await submit()
  at(beforeDue(50))
  await remind()
  await deliver(offline)
  at(beforeDue(1))
  expect(remindersIn(await deliver())).toEqual(toOwners(reminderOf('Ada')))

  at(march('03T10:00'))
  await submit({ firstName: 'Grace' })
  at(beforeDue(5, '03'))
  await remind()
  await deliver(offline)
  at(beforeDue(-120, '03'))
  expect(remindersIn(await remindAndSend())).toEqual([])
})

test('clock jumps cause neither a second reminder nor a missing one', async () => {
  await submit()
  const others = ['09T11:00', '02T10:10', '31T11:00', '01T10:00'].map((time) => march(time))
  const all: string[] = []
  for (const time of [beforeDue(50), ...others, beforeDue(40)]) {
    at(time)
    all.push(...remindersIn(await remindAndSend()))
  }
  expect(all).toEqual(toOwners(reminderOf('Ada')))
})

test('whoever writes again while waiting keeps the promise, and is not reminded of again', async () => {
  const reference = await submit()
  at(beforeDue(50))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada')))

  at(beforeDue(30))
  await takeIn({ subject: reference, text: 'PS: It is urgent.' })
  expect(remindersIn(await remindAndSend())).toEqual([])
})

test('leads that are due soon share one reminder for each owner, and the next one comes an hour later at the earliest', async () => {
  await submit()
  at(march('02T10:10'))
  const reopened = await submit({ firstName: 'Joan' })
  await mark(reopened)
  at(march('02T10:40'))
  await submit({ firstName: 'Grace' })
  at(beforeDue(59))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners('2 people are waiting for your reply'))
  await undoChange(site.inboxDeps, await changeOf(reopened))
  const minutes: number[] = []
  for (const minute of [1, 30, 59, 60, 61, 89]) {
    at(beforeDue(59 - minute))
    if (remindersIn(await remindAndSend()).length > 0) minutes.push(minute)
  }

  expect(minutes).toEqual([60])
})

test('a shared reminder says how many people wait, and names the 30 who are due first', async () => {
  const due = (minutes: number) => ({ due_at: beforeDue(minutes).toISOString() })
  await storeLeads(site.db, ...Array(31).fill(due(0)), { ...due(10), first_name: 'Hedy' })
  at(beforeDue(50))

  const [email, other] = await remindAndSend()

  expect(other?.messageId).not.toBe(email?.messageId)
  expect(email?.subject).toBe('32 people are waiting for your reply')
  expect(email?.text).toMatch(/^32 people are waiting for your reply\n\n- Hedy /)
  expect(email?.text.match(/I answered this:/g)).toHaveLength(30)
  expect(email?.text).toContain('The inbox shows the others.')
})

test('a shared reminder leaves out whoever has been answered, about whom owners get another one if reopened; each lead is news for phones', async () => {
  const [first, second, third] = [await submit(), await submit({ firstName: 'Grace' }), await submit()]
  at(beforeDue(50))
  await remind(2)
  const told = await findNews(site.db, beforeDue(51).toISOString(), site.clock.now)
  expect(await findNews(site.db, site.clock.now.toISOString(), site.clock.now)).toEqual([])
  await deliver(({ to }) => {
    if (to === OWNERS[1]) offline()
  })
  await mark(first)
  at(beforeDue(30))
  const [email] = (await deliver()).filter(({ messageId }) => messageId.startsWith('<reminders-'))
  await undoChange(site.inboxDeps, await changeOf(first))
  at(new Date(beforeDue(0).getTime() - 1))
  const again = remindersIn(await remindAndSend())

  // A later promise has another tag, because a phone silently replaces a message with the same one.
  const tags = [first, second, third].map((one) => `${one} ${beforeDue(0).toISOString()}`)
  expect(told.map(({ tag }) => tag).toSorted()).toEqual(tags.toSorted())
  expect(told[0]?.body).toBe(`Reply promised by ${officeTimeInWords(beforeDue(0))}`)
  expect(email?.subject).toBe('2 people are waiting for your reply')
  expect(email?.text).toContain(`  I answered this: https://agency.example/inbox/${second}?open=done`)
  expect(again).toEqual(toOwners(reminderOf('Ada')))
})

test('a promise that comes back once there is nothing to answer is not reminded of again', async () => {
  at(march('02T10:00'))
  const reference = await submit()
  at(beforeDue(59))
  expect(remindersIn(await remindAndSend())).not.toEqual([])
  await followUp(site.inboxDeps, { ...(await changeOf(reference)), at: beforeDue(40).toISOString() })
  at(beforeDue(50))
  await takeIn({ subject: reference, text: 'Thanks!' })
  await nothingToAnswer(site.inboxDeps, await changeOf(reference))

  at(beforeDue(30))
  expect(remindersIn(await remindAndSend())).toEqual([])
})
