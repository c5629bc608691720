import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkMailbox } from '../doctor/mailbox.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { answerTools, bob, leadTools } from '../proof/testing/leads.ts'
import {
  type Answered,
  ada,
  bounceOf,
  type Fields,
  type Mail,
  mailboxTools,
  us,
} from '../proof/testing/mailbox.ts'
import { email, useMailbox } from '../proof/testing/watched-mailbox.ts'
import { createReminders } from '../reminders/reminders.ts'

// MAIL_FROM, the first of MAIL_TO, and the mailbox are one address.
const site = useTestApp({ mailTo: [us, bob], sendsReceipts: true })
const { drafts, history, read, submit } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, everything, takeIn } = mailboxTools(site)

/** What an owner writes to herself, as it lies in the inbox. */
const toSelf = (fields: Fields) => takeIn({ from: us, to: us, text: 'On Monday?', ...fields })

test('an owner who has tried the form with the address of the mailbox writes again like anybody', async () => {
  const { answers, receipt, notice, reference } = await answered({ email: us })

  await toSelf({ answers: receipt })
  await toSelf({ answers: `${receipt} ${answers}` })
  await toSelf({ answers: notice })

  const kinds = (await history(reference)).map(({ what }) => what)
  expect(kinds.slice(-3)).toEqual(['reply', 'reply', 'answered_by_mail'])
  expect((await read(reference)).state).toBe('answered')
})

test('what we have answered to that address is no reply, even if a mail service changes its Message-ID', async () => {
  const { reference } = await answered({ email: us })
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday at ten.' })
  site.advanceClock(60_000)
  const sent = (await deliver()).find(({ subject }) => /^Re: Your request/.test(subject))
  const before = await everything()

  await toSelf({ answers: sent?.headers?.References ?? '', text: sent?.text ?? '' })

  expect(await everything()).toEqual(before)
})

/** An answer from the inbox that has come back. */
async function cameBack() {
  const { reference } = await answered()
  await answer(reference, { key: crypto.randomUUID(), text: 'On Monday at ten, in Oak Street.' })
  site.advanceClock(60_000)
  const sent = (await deliver()).find(({ subject }) => /^Re: Your request/.test(subject))
  await takeIn({ from: 'mailer-daemon@example.com', body: bounceOf(sent?.messageId ?? '') })
  return { reference, sent }
}

test('an answer that came back counts once its owner has sent it again as it is', async () => {
  const { reference, sent } = await cameBack()
  expect((await read(reference)).state).toBe('open')

  // Some mail services put a copy with another Message-ID there, late.
  const copy = { from: us, to: ada, text: sent?.text ?? '' }
  await takeIn({ ...copy, answers: sent?.headers?.References ?? '' }, 'sent')
  expect((await read(reference)).state).toBe('open')

  await takeIn(copy, 'sent')

  expect((await read(reference)).state).toBe('answered')
})

test('whoever quotes an answer that is said to have come back has not written its words', async () => {
  const { reference, sent } = await cameBack()

  const quoted = `On Mon, Mar 2, 2026, Site <${us}> wrote:\n${sent?.text?.replace(/^/gm, '> ')}`
  await takeIn({ answers: sent?.messageId ?? '', text: `Fine.\n\n${quoted}` })

  expect((await history(reference)).at(-1)?.text).toBe('Fine.')
})

test("a rewritten reply to an owner's email counts, also if the ID of that email looks like one of ours", async () => {
  const { answers, notice, reference } = await answered()
  const id = '<4ee0e8b5-6f3c-4d3c-9a3f-dd0d59b2b4f9.hello@agency.example>'
  await takeIn({ from: us, to: ada, answers: notice, id, text: 'By Monday.' }, 'sent')

  await toSelf({ answers: `${answers} ${id}`, headers: `Reply-To: ${ada}`, text: 'Great, thanks.' })

  expect((await history(reference)).at(-1)).toMatchObject({ what: 'reply', who: ada })
})

test("what an owner replies to a notice is never the visitor's, even with the Reply-To of the notice", async () => {
  const { notice } = await answered()
  const before = await everything()

  // Thunderbird writes to the sender of the notice, herself, and keeps its Reply-To.
  await toSelf({ answers: notice, headers: `Reply-To: ${ada}` })

  expect(await everything()).toEqual(before)
})

test('an answer that an email program has sent to the owner herself did not arrive, and is a draft', async () => {
  const { answers, notice, reference } = await answered()
  const strayed: Mail = [{ from: us, to: us, id: '<1@x>', answers: notice, text: 'On Monday?' }, 'sent']
  const before = await everything()
  await takeIn(...strayed)
  expect(await everything()).toEqual(before)

  await takeIn({ answers })
  await takeIn(...strayed)
  await takeIn(...strayed)

  const trouble = 'Your answer did not arrive: your email program sent it to yourself.'
  expect(await read(reference)).toMatchObject({ state: 'open', trouble })
  expect(await drafts()).toEqual([{ owner: us, text: 'On Monday?' }])
  const told = async () => (await deliver()).filter(({ text }) => text.includes(trouble))
  const [first, ...others] = await told()
  expect([first?.to, first?.subject, others]).toEqual([us, 'Your answer to Ada Lovelace did not arrive', []])
  // She has got no answer.
  expect(first?.text).not.toContain(ada)
  await takeIn({ from: us, to: us, answers: notice, text: 'On Friday?' }, 'sent')
  expect(await told()).toHaveLength(1)

  await takeIn({ from: us, to: ada, answers: notice }, 'sent')
  expect(await read(reference)).toMatchObject({ state: 'answered', trouble: null })
  await takeIn({ answers, text: 'And the price?' })
  await takeIn(...strayed)
  expect(await read(reference)).toMatchObject({ state: 'open', trouble: null })
})

test('so did one that she has sent from an alias', async () => {
  const { answers, notice, reference } = await answered()
  await takeIn({ answers })
  await takeIn({ from: 'info@agency.example', to: us, answers: notice, text: 'On Monday?' }, 'sent')

  expect((await read(reference)).trouble).toMatch(/ sent it to yourself/)
})

test('so did one to a reminder', async () => {
  const reference = await submit({ email: ada })
  await deliver()
  site.clock.now = new Date(Date.parse((await read(reference)).due_at) - 30 * 60_000)
  await createReminders(site.context)()
  const [reminder] = await deliver()

  await takeIn({ from: us, to: us, answers: reminder?.messageId ?? '', text: 'On Monday?' }, 'sent')

  expect(await drafts()).toMatchObject([{ owner: us, text: 'On Monday?' }])
})

test.each<[string, (lead: Answered) => Fields]>([
  ['an email to another owner', ({ notice }) => ({ to: bob, answers: notice })],
  ['an email to a partner, with a copy', ({ notice }) => ({ to: `${us}, p@x.example`, answers: notice })],
  ['an answer to oneself', () => ({ answers: '<note@agency.example>' })],
  ['what answers the visitor', ({ answers }) => ({ answers })],
])('%s is no answer that an owner has sent to herself', async (_what, fields) => {
  const lead = await answered()
  await takeIn({ answers: lead.answers })
  const before = await everything()

  await takeIn({ from: us, to: us, ...fields(lead) }, 'sent')

  expect(await everything()).toEqual(before)
})

test('an email about a notice to whoever is no owner any more is no answer, either', async () => {
  const { answers, notice } = await answered()
  await takeIn({ answers })
  const former = 'former@agency.example'
  await site.db.updateTable('outbox').set({ recipient: former }).where('message_id', '=', notice).execute()
  const before = await everything()

  await takeIn({ from: us, to: former, answers: notice, text: 'Do you know her?' }, 'sent')

  expect(await everything()).toEqual(before)
})

describe.skipIf(!hasDovecot())('with a real mailbox', () => {
  const { server, watched, kinds, texts } = useMailbox(site)

  test('doctor names the address to which visitors reply, if it is not that of the mailbox', async () => {
    const seenFrom = async (address: string) => (await checkMailbox(server.url, undefined, address))[0]?.seen

    expect(await seenFrom('noreply@agency.example')).toMatch(
      / Visitors reply to noreply@agency.example, which must deliver into it\. /,
    )
    expect(await seenFrom(server.user.toUpperCase())).not.toContain('Visitors')
  })

  test("a draft in Gmail's folder of all messages is nobody's reply, whatever its sender", async () => {
    const { answers, reference } = await watched()
    const draft = email(answers, 'draft@x').replace(ada, 'alias@agency.example')
    server.deliver(email('<other@x>', 'other@x'), 'All Mail')

    writeFileSync(join(server.maildir, '.All Mail/cur/1.draft:2,DS'), draft)
    server.deliver(email(answers, '1@x'), 'All Mail')

    await expect.poll(() => texts(reference)).toContain('Text 1@x')
    expect(await texts(reference)).toEqual(['Text 1@x'])
  })

  test('an answer that an owner has sent to herself is found in the folder of sent messages', async () => {
    const { answers, notice, reference } = await watched()
    await takeIn({ answers })
    const text = `From: ${us}\r\nTo: ${us}\r\nMessage-ID: <1@x>\r\nIn-Reply-To: ${notice}\r\nReply-To: ${ada}\r\n\r\nYes.\r\n`

    for (const folder of ['Sent', 'INBOX', 'All Mail']) server.deliver(text, folder)

    await expect.poll(() => kinds(reference)).toEqual(['reply', 'answer_failed'])
    server.deliver(text.replace('To: site', 'To: ada@example.com, site').replace('1@x', '2@x'), 'Sent')
    await expect.poll(() => kinds(reference)).toEqual(['reply', 'answer_failed', 'answered_by_mail'])
  })
})

test('the user of IMAP_URL is an owner, also if MAIL_FROM is an alias', async () => {
  const user = 'hello@agency.example'
  Object.assign(site.context.env, { IMAP_URL: 'imaps://Hello%40agency.example:secret@imap.example.com' })
  const { answers, notice, reference } = await answered()
  const before = await everything()

  await takeIn({ from: user, to: us, answers: notice })
  await takeIn({ from: user, to: 'partner@example.com', answers: notice }, 'moved')
  expect(await everything()).toEqual(before)
  await takeIn({ answers })
  await takeIn({ from: user, to: ada, answers: notice })

  expect((await history(reference)).at(-1)).toMatchObject({ what: 'answered_by_mail', who: user })
})
