import { randomUUID } from 'node:crypto'
import type { Env } from '../env.ts'
import { messageOf } from '../errors/error-facts.ts'
import { emailBody, heading, paragraph } from '../mail/email-body.ts'
import { oneLine } from '../mail/mail-advice.ts'
import { automatic, createSmtpMailer, type Message } from '../mail/mailer.ts'
import type { Tokens } from '../mail/oauth.ts'
import { domainOf } from '../outbox/email.ts'
import { postEvent } from '../webhook/post-lead.ts'
import { type Found, ok, problem } from './check.ts'
import { explainMailError } from './mail-server.ts'

const TIMEOUT_MS = 60_000

type Sender = Pick<Env, 'MAIL_FROM' | 'SITE_URL'>

/** Sends a test email to each recipient, without queueing it first. */
export async function sendTestEmails(
  smtpUrl: string,
  env: Env,
  { tokens, now }: { tokens?: Tokens | undefined; now: Date },
): Promise<Found[]> {
  const mailer = createSmtpMailer(smtpUrl, tokens)
  const found = env.MAIL_TO.map(async (to): Promise<Found> => {
    try {
      const reply = await mailer.send(testEmail(env, to, now), AbortSignal.timeout(TIMEOUT_MS))
      return ok(`An email to ${to} was accepted (${oneLine(reply)}). Look for it, also in the spam folder.`)
    } catch (error) {
      const { seen, advice } = explainMailError(smtpUrl, error)
      return problem(`No test email to ${to}: ${seen}`, advice)
    }
  })
  return Promise.all(found).finally(() => mailer.close())
}

export function testEmail({ MAIL_FROM: from, SITE_URL = '' }: Sender, to: string, now: Date): Message {
  const messageId = `<${randomUUID()}@${domainOf(from)}>`
  const title = 'Test email'
  const text = `This is a test from "doctor --send" at ${SITE_URL || 'your website'}. Notices about quote requests will arrive here.`
  return {
    ...automatic(from, { recipient: to, messageId }),
    subject: `Test email from ${URL.parse(SITE_URL)?.host ?? 'your website'}`,
    date: now,
    ...emailBody({ title, parts: [heading(title), paragraph(text)], footer: [SITE_URL] }),
  }
}

/**
 * Posts a signed test event, which is not a lead. Shows only the host: the rest of the URL can
 * contain a password.
 */
export async function sendTestEvent(webhook: NonNullable<Env['webhook']>, now: Date): Promise<Found> {
  const { host } = new URL(webhook.url)
  const text = 'A test from "doctor --send".'
  const body = { type: 'webhook.test', version: 1, text, timestamp: now.toISOString(), data: {} }
  const event = { id: `test_${randomUUID()}`, body: JSON.stringify(body), at: now }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const reply = await postEvent(webhook, event, signal)
    return ok(`${host} accepted a signed test (${reply}).`)
  } catch (error) {
    return problem(
      `${host} did not accept a test: ${oneLine(messageOf(error))}`,
      'Check LEAD_WEBHOOK_URL and the log of the other program; leads wait in the queue for five days.',
    )
  }
}
