import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { writeNote } from '../database/notes.ts'
import type { DeliveryMode } from '../outbox/delivery-mode.ts'
import { enqueue } from '../outbox/email.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { answerTools, leadTools } from '../proof/testing/leads.ts'
import { claimEmail, outboxTools } from '../proof/testing/outbox.ts'
import { hang, openReceiver, webhookSecret } from '../proof/testing/receiver.ts'
import { OWNERS } from '../proof/testing/reminder-tools.ts'
import { createOutbox } from './create-outbox.ts'

const site = useTestApp()
const { deliveryLog, rows, submit } = outboxTools(site)
const { read } = leadTools(site)
const { answer } = answerTools(site)

test.each<
  [
    DeliveryMode,
    isSmtpUsed: boolean,
    { state: string; attempts: number; notices: number; isStalled: boolean },
  ]
>([
  ['files', false, { state: 'file', attempts: 2, notices: Infinity, isStalled: false }],
  ['files', true, { state: 'queued', attempts: 2, notices: Infinity, isStalled: false }],
  ['held', true, { state: 'queued', attempts: 1, notices: 1, isStalled: true }],
])(
  'in the mode "%s", if SMTP has been used: %s, an email that a crash has cut off ends like this: %j',
  async (mode, isSmtpUsed, expected) => {
    await writeNote(site.db, 'smtp_used', isSmtpUsed)
    await submit('Hello')
    await claimEmail(site)
    const env = { ...site.context.env, EMAILS_A_DAY: 8, MAIL_TO: OWNERS }
    const outbox = createOutbox({ ...site.context, env }, mode)

    await outbox.start()
    await outbox.stop()

    const [email] = await rows()
    const { state, attempts } = email ?? {}
    const { noticed: notices } = outbox.budget
    expect({ state, attempts, notices, isStalled: outbox.isStalled() }).toEqual(expected)
  },
)

test('a start without a mail server does not send again what was only written to files, and no reminder', async () => {
  await submit('Hello')
  const { id } = await site.db.selectFrom('leads').select('id').executeTakeFirstOrThrow()
  const content = JSON.stringify({ at: site.clock.now })
  const reminder = {
    kind: 'reminder',
    leadId: id,
    recipient: 'a@b.example',
    messageId: '<r>',
    content,
  } as const
  await enqueue(site.db, [reminder], site.clock.now)
  const due_at = new Date(site.clock.now.getTime() + 60_000).toISOString()
  await site.db.updateTable('leads').set({ due_at }).execute()
  const start = async () => {
    const outbox = createOutbox(site.context, 'files')
    await outbox.start()
    await outbox.stop()
  }
  await start()
  await start()

  expect((await deliveryLog()).map(({ outcome }) => outcome)).toEqual(['file'])
})

test.each([
  ['on', false],
  ['off', true],
] as const)(
  'with INBOX=%s and IMAP_URL, replies to receipts go elsewhere: %s',
  async (INBOX, isElsewhere) => {
    await submit('Hello')
    await site.db.updateTable('outbox').set({ kind: 'visitor_receipt' }).execute()
    const settings = { INBOX, IMAP_URL: 'imaps://a:b@mail.example', VISITOR_RECEIPT: 'on' } as const
    const env = { ...site.context.env, ...settings }
    const outbox = createOutbox({ ...site.context, env }, 'files')
    await outbox.start()
    await outbox.stop()

    const [file = ''] = readdirSync(outbox.mailDir)
    expect(/^Reply-To: /m.test(readFileSync(join(outbox.mailDir, file), 'utf8'))).toBe(isElsewhere)
  },
)

test('notices go to MAIL_TO, an answer that is refused for good opens its lead again, and a stop cuts off the webhook', async () => {
  const refused = 'ada@example.com'
  const recipients = new Set<string>()
  const relay = await openInbox({
    onRcptTo({ address }, _session, done) {
      recipients.add(address)
      done(address === refused ? smtpError(550, '5.1.1 no such user') : null)
    },
  })
  onTestFinished(relay.close)
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  receiver.respondWith(hang)
  const { reference } = await site.submit({ email: refused })
  const post = {
    kind: 'webhook',
    recipient: '',
    messageId: 'lead_1',
    leadId: (await read(reference)).id,
  } as const
  await enqueue(site.db, [post], site.clock.now)
  await answer(reference)
  site.advanceClock(60_000)
  const env = {
    ...site.context.env,
    SMTP_URL: relay.url,
    MAIL_TO: ['new@agency.example'],
    webhook: { url: receiver.url, secret: webhookSecret },
  }
  const outbox = createOutbox({ ...site.context, env }, 'smtp')

  await outbox.start()
  await expect.poll(async () => (await read(reference)).state).toBe('open')
  await expect.poll(() => [...recipients].toSorted()).toEqual([refused, 'new@agency.example'])
  await expect.poll(() => receiver.requests.length).toBe(1)
  await outbox.stop()
  expect((await rows()).find(({ kind }) => kind === 'webhook')?.state).toBe('queued')
})
