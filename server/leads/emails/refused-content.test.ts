import { expect, test } from 'vitest'
import { readMailHealth } from '../../app/health.ts'
import type { Message } from '../../mail/mailer.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, leadTools, refusal, storeLead } from '../../proof/testing/leads.ts'
import { beforeDue, march, OWNERS, opening, reminderTools } from '../../proof/testing/reminder-tools.ts'
import { createNoticeLists } from './notice-list.ts'

const site = useTestApp({ mailTo: OWNERS })
const { submit, read } = leadTools(site)
const { answer } = answerTools(site)
const { deliver, greet, remind } = reminderTools(site)

const MINUTE_MS = 60_000
// What a visitor can write, in every field.
const TRIGGER = 'XJS*C4JDBQADN1'
const hostile = {
  firstName: `Ada${TRIGGER}`,
  lastName: TRIGGER,
  company: TRIGGER,
  phone: `1${TRIGGER}`,
  message: `Hello ${TRIGGER}`,
  website: `https://${TRIGGER}.example`,
  email: `${TRIGGER}@example.com`,
}
/** Refuses every email that contains a visitor's text, as a content filter does. */
const filter = (email: Message) => {
  if (JSON.stringify(email).includes(TRIGGER.slice(0, 6))) throw refusal('554 5.7.1 content rejected', 'DATA')
}
const health = () => readMailHealth(site.context, site.clock.now)

test.each([
  ['a lead', 0],
  ['a suspect', 12],
])(
  'a notice of %s that the mail server refuses because of its content is sent at once without the visitor’s text',
  async (_which, spam_score) => {
    site.clock.now = march('02T10:00')
    const reference = await submit(hostile)
    const judged = site.db.updateTable('leads').set({ spam_score, spam_reasons: `["${TRIGGER}"]` })
    await judged.where('reference', '=', reference).execute()

    const emails = await deliver(filter)

    expect(emails.map(({ to, subject, replyTo }) => [to, subject, replyTo])).toEqual(
      OWNERS.map((owner) => [owner, `Quote request ${reference}`, '']),
    )
    expect(emails[0]?.messageId).not.toBe(emails[1]?.messageId)
    expect(emails[0]?.text).toContain(`https://agency.example/inbox/${reference}`)
    expect(emails[0]?.text.includes('\nBy ')).toBe(spam_score === 0)
    expect(await health()).toBe('ok')
  },
)

test('a reminder, a morning email, a list of requests and the copy of an answer arrive without the text, too', async () => {
  site.clock.now = march('02T09:30')
  await greet()
  site.clock.now = march('02T10:00')
  const reference = await submit({ ...hostile, email: 'ada@example.com' })
  const { id, version } = await read(reference)
  site.clock.now = beforeDue(30)
  await remind()
  await site.db.updateTable('leads').set({ awaits_list: 1 }).where('id', '=', id).execute()
  await createNoticeLists(site.context)()
  const emails = await deliver(filter)
  await storeLead(site.db, { trouble: TRIGGER })
  site.clock.now = opening('09')
  await greet()
  emails.push(...(await deliver(filter)))
  await answer(reference, { version })
  site.advanceClock(MINUTE_MS)
  emails.push(...(await deliver(filter)))

  const kinds = emails.map(({ messageId }) => /morning|list|reminder|copy/.exec(messageId)?.[0])
  expect(new Set(kinds)).toEqual(new Set([undefined, 'morning', 'list', 'reminder', 'copy']))
  const open = await site.db.selectFrom('outbox').select('kind').where('state', '<>', 'sent').execute()
  expect(open).toEqual([])
})

test('an answer whose quotation is refused is sent at once without it, and fails only if that is refused, too', async () => {
  const reference = await submit({ ...hostile, email: 'ada@example.com' })
  await deliver(filter)
  await answer(reference, { version: (await read(reference)).version, who: anna })
  site.advanceClock(MINUTE_MS)

  const emails = await deliver(filter)

  expect(emails.find(({ to }) => to === 'ada@example.com')?.text).not.toContain('wrote:')
  expect((await read(reference)).state).toBe('answered')
})
