import { beforeEach, expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { followUp, markLead, undoChange } from '../inbox/leads/change-lead.ts'
import type { Message } from '../mail/mailer.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools } from '../proof/testing/leads.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import {
  beforeDue,
  closing,
  isList,
  listsIn,
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

const site = useTestApp({ mailTo: OWNERS })

const { submit, suspect, read } = leadTools(site)

const { answer, undo } = answerTools(site)

const { rows } = outboxTools(site)

const { remind, deliver, remindAndSend } = reminderTools(site)

const at = (time: Date) => {
  site.clock.now = time
}

beforeEach(() => at(march('02T10:00')))

const refuseVisitors = ({ to }: Message) => {
  if (to !== 'ada@example.com') return
  const response = '550 5.1.1 no such user here'
  throw Object.assign(new Error(response), { responseCode: 550, command: 'RCPT TO', response })
}

const change = async (reference: string) => ({
  reference,
  who: anna,
  version: (await read(reference)).version,
})

const mark = async (reference: string) =>
  markLead(site.inboxDeps, { ...(await change(reference)), state: 'answered' })

test('in the last office hour before its reply is due, an open lead gets one reminder for each owner', async () => {
  await submit()
  at(beforeDue(60))
  expect(remindersIn(await remindAndSend())).toEqual([])

  at(beforeDue(59))
  await remind(3)
  await remind()
  expect(remindersIn(await deliver())).toEqual(toOwners(reminderOf('Ada')))

  for (const time of [beforeDue(30), beforeDue(0), beforeDue(30, '03')]) {
    at(time)
    expect(remindersIn(await remindAndSend())).toEqual([])
  }
})

test.each([
  [
    'Monday afternoon',
    closing('02', 30 - REPLY_MINUTES),
    closing('02', -30),
    closing('02', -29),
    opening('03', 30),
  ],
  [
    'Friday evening, before a weekend (with a time change in New York)',
    closing('06', 30),
    opening('09', REPLY_MINUTES - 60),
    opening('09', REPLY_MINUTES - 59),
    opening('09', REPLY_MINUTES),
  ],
])('reminders follow office hours: a request on %s', async (_when, received, before, after, dueAt) => {
  at(received)
  await submit()
  at(before)
  expect(remindersIn(await remindAndSend())).toEqual([])

  at(after)
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada', dueAt)))
})

test('a lead that looks like spam, has a follow-up date, or is not open gets no reminder; one marked as not spam does', async () => {
  const [suspected, later, won] = [await submit(), await submit(), await submit()]
  const judged = await submit({ firstName: 'Grace' })
  for (const reference of [suspected, judged]) await suspect(reference)
  await followUp(site.inboxDeps, { ...(await change(later)), on: '2026-03-05' })
  await markLead(site.inboxDeps, { ...(await change(won)), state: 'won' })
  await markLead(site.inboxDeps, { ...(await change(judged)), state: 'open' })
  at(beforeDue(30))

  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Grace')))
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

  await undoChange(site.inboxDeps, await change(reference))
  at(beforeDue(30))
  expect(remindersIn(await remindAndSend())).toEqual(toOwners(reminderOf('Ada')))
  await mark(reference)
  await undoChange(site.inboxDeps, await change(reference))
  expect(remindersIn(await remindAndSend())).toEqual([])
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
  expect(remindersIn(await remindAndSend())).toEqual(
    [...toOwners(reminderOf('Ada')), ...toOwners(reminderOf('Grace'))].toSorted(),
  )
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

test('each workday, when the office opens, each owner gets one email that lists the late leads by name', async () => {
  await remind()
  const late = await submit({ company: 'Analytical Roofing' })
  const answered = await submit({ firstName: 'Grace' })
  await suspect(await submit({ firstName: 'Spam' }))
  at(closing('02', -60))
  await submit({ firstName: 'Hedy' })
  await mark(answered)
  const times = {
    ...{ 'Tuesday before opening': opening('03', -1), 'Tuesday at opening': opening('03') },
    ...{ 'Tuesday one minute later': opening('03', 1), 'Tuesday after closing': closing('03') },
    ...{ 'Wednesday at opening': opening('04'), 'Saturday morning': march('07T10:00') },
    'Monday at opening': opening('09'),
  }

  const lists: string[] = []
  const texts: string[] = []
  for (const [name, time] of Object.entries(times)) {
    at(time)
    await remind(2)
    const sent = await deliver()
    lists.push(...listsIn(sent).map((list) => `${name} ${list}`))
    texts.push(...sent.filter(isList).map(({ text }) => text))
  }

  const promised = `Reply promised by ${officeTimeInWords(beforeDue(0))} (${late})`
  expect(texts[0]).toContain(
    `Ada Lovelace, Analytical Roofing\n  ${promised}\n  https://agency.example/inbox/${late}\n  I answered this: https://agency.example/inbox/${late}?open=done\n\n`,
  )
  expect(texts[0]).not.toMatch(/Grace|Hedy|Spam/)
  expect(lists).toEqual([
    ...OWNERS.map((owner) => `Tuesday at opening ${owner}: 1 person is still waiting for a promised reply`),
    ...['Wednesday', 'Monday'].flatMap((day) =>
      OWNERS.map((owner) => `${day} at opening ${owner}: 2 people are still waiting for a promised reply`),
    ),
  ])
})

test('a queued list of late leads leaves out answered ones, and is not sent if it is empty', async () => {
  await remind()
  const [first, second] = [await submit(), await submit({ firstName: 'Grace' })]
  at(opening('03'))
  await remind()
  await deliver(offline)
  await mark(first)
  at(opening('03', 30))
  const sent = await deliver()
  expect(listsIn(sent)).toEqual(toOwners('1 person is still waiting for a promised reply'))
  expect(sent.find(isList)?.text).toContain('Grace')

  at(opening('04'))
  await remind()
  await mark(second)
  expect(listsIn(await deliver())).toEqual([])
})

const [tuesday, wednesday] = [`03T${hours.opens}`, `04T${hours.opens}`]

test.each([
  ['forward and back', ['03T10:00', '04T10:00', '03T10:30', wednesday], ['03T10:00', '04T10:00']],
  ['a year ahead and back', [tuesday, '03T10:00', wednesday], [tuesday, wednesday]],
])('if the clock jumps %s, exactly one list is still sent each workday', async (how, times, expected) => {
  await remind()
  await submit()
  const lists: string[] = []
  for (const time of times) {
    at(march(time))
    if (listsIn(await remindAndSend()).length > 0) lists.push(time)
    if (how.includes('year') && time === '03T10:00') {
      at(new Date('2027-03-03T15:00Z'))
      await remindAndSend()
    }
  }
  expect(lists).toEqual(expected)
})
