import { expect, test } from 'vitest'
import { followUp } from '../leads/change/mark-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { march, OWNERS, opening, reminderTools } from '../proof/testing/reminder-tools.ts'
import { createFollowUps } from './follow-ups.ts'

const site = useTestApp({ mailTo: OWNERS })
const { submit } = leadTools(site)
const { at, deliver, changeOf, greet } = reminderTools(site)

const tell = async () => {
  await greet()
  await createFollowUps(site.context)()
}
const told = async () => (await deliver()).filter(({ messageId }) => messageId.includes('follow-up'))
const postpone = async (reference: string, time: Date | null) =>
  followUp(site.inboxDeps, {
    ...(await changeOf(reference)),
    at: time?.toISOString() ?? null,
    note: 'She is slow to pay.',
  })

test('when the time of a follow-up has come, each owner is told once, without the note that a reply could quote', async () => {
  at(march('02T10:00'))
  const reference = await submit({ firstName: 'Ada', message: 'A new roof' })
  await postpone(reference, march('02T14:00'))
  at(march('02T14:00', -1))
  await tell()
  expect(await told()).toEqual([])
  at(march('02T14:00'))
  for (let times = 0; times < 2; times++) await tell()

  const emails = await told()
  expect(emails.map(({ to }) => to).toSorted()).toEqual(OWNERS.toSorted())
  for (const { subject, replyTo, text } of emails) {
    expect(subject).toMatch(/^Ada Lovelace: follow up at Monday, March 2 at 2pm E.T$/)
    expect(replyTo).toBe('ada@example.com')
    expect(text).toMatch(/^ {2}Ada Lovelace\n\n {2}A new roof\n/)
    expect(text).toMatch(/\n-- \nReply: /)
    expect(text).not.toContain('slow to pay')
  }
})

test('each follow-up is told once, after downtime later that day, unless the morning email has named it', async () => {
  at(march('02T10:00'))
  await tell()
  for (const time of ['02T14:00', '02T14:10', '02T14:20', '03T10:00', '03T16:00'])
    await postpone(await submit(), march(time))
  const times = ['02T14:00', '02T14:10', '02T17:30', '03T11:00', '03T11:01', '03T17:30']
  const counts: number[] = []
  const dates: string[] = []
  for (const time of times) {
    at(march(time))
    await tell()
    const emails = await told()
    counts.push(emails.length / OWNERS.length)
    dates.push(...emails.map(({ date }) => date.toISOString()))
  }

  expect(counts).toEqual([1, 1, 1, 0, 0, 1])
  expect(dates).toContain(march('02T17:30').toISOString())
})

test('what a late morning email has named is not told on a day off, while its email waits', async () => {
  at(march('05T10:00'))
  await greet()
  await postpone(await submit(), march('06T09:30'))
  // Friday.
  at(march('06T11:00'))
  await tell()
  expect(await told()).toHaveLength(0)

  at(march('07T09:10'))
  await tell()
  expect(await told()).toHaveLength(0)
})

test('if nobody waits, a follow-up quotes what the person wrote last', async () => {
  at(march('02T10:00'))
  const reference = await submit({ email: 'ada@example.com' })
  await mailboxTools(site).takeIn({ subject: `Re: ${reference}`, text: 'Perhaps in May.' })
  await answerTools(site).answer(reference)
  await postpone(reference, march('02T14:00'))
  at(march('02T14:00'))
  await tell()
  expect((await told())[0]?.text).toMatch(/^ {2}Ada Lovelace\n\n {2}Perhaps in May\.\n/)
})

test('a follow-up that was removed or moved, and one that the morning email names, gets no email of its own', async () => {
  at(march('02T10:00'))
  const [removed, moved, early] = [await submit(), await submit(), await submit()]
  for (const reference of [removed, moved]) await postpone(reference, march('02T14:00'))
  await postpone(early, opening('03'))
  at(march('02T14:00'))
  await tell()
  await postpone(removed, null)
  await postpone(moved, march('02T15:00'))
  expect(await told()).toEqual([])
  at(opening('03'))
  await tell()
  expect(await told()).toEqual([])
  // That of a Saturday names nobody.
  await postpone(early, opening('07'))
  at(opening('07'))
  await tell()
  expect(await told()).toHaveLength(OWNERS.length)
})
