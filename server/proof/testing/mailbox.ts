import { beforeEach } from 'vitest'
import type { Message as Sent } from '../../mail/mailer.ts'
import type { Folder } from '../../mailbox/imap.ts'
import { readMessage } from '../../mailbox/read-message.ts'
import { createTakeIn } from '../../mailbox/take-in.ts'
import { writtenIn } from '../../mailbox/words.ts'
import type { TestApp } from './build-test-app.ts'
import { anna, answerTools, leadTools } from './leads.ts'
import { outboxTools, writeEmailOf } from './outbox.ts'

const MINUTE_MS = 60_000

type Field = 'from' | 'to' | 'subject' | 'answers' | 'headers' | 'body' | 'text' | 'id' | 'receivedAt'
/** What an email in the mailbox has instead of the usual. */
export type Fields = Partial<Record<Field, string>> & { attachments?: string[] }
/** An email, and the folder of the mailbox that it's in. */
export type Mail = [Fields, Folder?]
/** A lead that Anna has answered, with the Message-IDs of what was sent. */
export type Answered = { reference: string; id: string; answers: string; receipt: string; notice: string }

/** Ada's conversation with Anna, and that of Mallory, who gave Ada's name. */
export type Both = { hers: Answered; his: Answered }

export const ada = 'ada@example.com'
export const adaAtWork = 'ada@work.example'
export const carl = 'carl@example.com'
export const mallory = 'mallory@evil.example'
export const us = 'site@agency.example'
/** The Message-ID of an owner's email to both Ada and Mallory. */
export const TO_BOTH = '<to-both@agency.example>'

/** Returns functions that put emails into the mailbox of a test's site, and that send its own. */
export function mailboxTools(site: TestApp) {
  const { submit, read } = leadTools(site)
  const { answer } = answerTools(site)
  const { rows, deliver: deliverWith } = outboxTools(site)
  let ids = 0

  /** Sends all emails that are due. Returns them. */
  async function deliver() {
    const sent: Sent[] = []
    await deliverWith(async (email) => {
      const written = await writeEmailOf(site, { hasMailbox: true })(email)
      if (typeof written === 'string') return { unsent: written }
      sent.push(written)
      return '250 ok'
    })
    return sent
  }

  /** Takes in an email: by default, a reply by Ada, who is the visitor. */
  async function takeIn(
    { answers, headers, receivedAt, attachments, ...fields }: Fields,
    folder: Folder = 'inbox',
    readWords: Parameters<typeof createTakeIn>[0]['readWords'] = writtenIn,
  ) {
    const lines = [
      `From: ${fields.from ?? ada}`,
      `To: ${fields.to ?? 'hello@agency.example'}`,
      `Subject: ${fields.subject ?? 'Re: Hi'}`,
      `Message-ID: ${fields.id ?? `<${++ids}@example.com>`}`,
      ...(answers ? [`In-Reply-To: ${answers}`, `References: ${answers}`] : []),
      ...(headers ? [headers] : []),
      fields.body ?? `Content-Type: text/plain; charset=utf-8\n\n${fields.text ?? 'When can you start?'}`,
    ]
    const message = await readMessage(Buffer.from(lines.join('\n').replace(/\n/g, '\r\n')))
    const received = { ...message, ...(receivedAt && { receivedAt }), ...(attachments && { attachments }) }
    await createTakeIn({ ...site.context, readWords })(received, folder)
  }

  async function answered(changes = {}): Promise<Answered> {
    const reference = await submit({ email: 'Ada@Example.com', ...changes })
    await deliver()
    await answer(reference, { key: crypto.randomUUID() })
    site.advanceClock(MINUTE_MS)
    await deliver()
    const { id } = await read(reference)
    const messageId = async (kind: string) =>
      (await rows()).find((row) => row.lead_id === id && row.kind === kind)?.message_id ?? ''
    return {
      reference,
      id,
      answers: await messageId('answer'),
      receipt: await messageId('visitor_receipt'),
      notice: await messageId('owner_notice'),
    }
  }

  /** Everything that a message can change. */
  const everything = async () => ({
    leads: await site.db.selectFrom('leads').selectAll().orderBy('id').execute(),
    events: await site.db.selectFrom('lead_events').selectAll().orderBy('id').execute(),
    emails: await site.db.selectFrom('outbox').selectAll().orderBy('id').execute(),
  })

  return { deliver, takeIn, answered, everything }
}

/** Stores both conversations before each test of the file. */
export function useBoth(site: TestApp): Both {
  const { answered, takeIn } = mailboxTools(site)
  const both = {} as Both
  beforeEach(async () => {
    // Not the words of a later request: that would be the same one again.
    both.hers = await answered({ message: 'A first request.' })
    both.his = await answered({ email: mallory, lastName: 'Lovelace' })
    await takeIn({ from: anna, to: `${ada}, ${mallory}`, id: TO_BOTH }, 'sent')
  })
  return both
}

/** What a mail server returns if it can't deliver an email (RFC 3464). */
export const bounceOf = (messageId: string, { action = 'failed', status = '5.1.1' } = {}) =>
  `Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Your message could not be delivered.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; ada@example.com
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp; 550 ${status} No such
 user here
--b
Content-Type: message/rfc822

From: site@agency.example
Message-ID: ${messageId}
Subject: Hi

Hello
--b--
`
