import { randomUUID } from 'node:crypto'
import { brand } from '#shared/business.ts'
import { html } from '../html.ts'
import { createSmtpMailer, domainOf, type Mail, type MailAddress } from '../mail/mailer.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { explain, printable } from './mail-server.ts'

const about = findingsAbout('test email')

const PATIENCE_MS = 60_000

type Order = { smtpUrl: string; mailFrom: MailAddress; mailTo: readonly string[]; siteUrl: string; now: Date }

/** Where the mail server takes no login: each email would meet the same, and take a minute for it. */
export const noTestEmail = about.warning(
  'No test email was sent, because the mail server cannot be used yet.',
  'Follow the advice about the mail server, then run this again.',
)

/** Sends each recipient an email that says that it is a test, past the outbox. Stops when the mail server is gone. */
export async function sendTestEmails(order: Order): Promise<Finding[]> {
  const mailer = createSmtpMailer(order.smtpUrl)
  const findings: Finding[] = []
  for (const to of order.mailTo)
    try {
      const reply = await mailer.send(testEmail(order, to), AbortSignal.timeout(PATIENCE_MS))
      findings.push(
        about.ok(
          `The mail server took an email to ${to} (${printable(reply)}): look for it, among the spam too.`,
        ),
      )
    } catch (error) {
      findings.push(describeRefusal(error, order, to))
      if (!isAboutEmail(error)) break
    }
  mailer.close()
  return findings
}

/** Whether the mail server answered, and not about the login. */
function isAboutEmail(error: unknown): boolean {
  const { responseCode } = Object(error) as { responseCode?: number }
  return responseCode !== undefined && responseCode !== 535
}

function describeRefusal(error: unknown, { smtpUrl, mailFrom }: Order, to: string): Finding {
  if (!isAboutEmail(error)) return about.problem(...explain(smtpUrl, error))
  return about.problem(
    `The mail server refuses an email from ${mailFrom.address} to ${to}: ${printable(String(Object(error).response))}`,
    'Check MAIL_FROM, which the mail server must know as a sender, and MAIL_TO.',
  )
}

function testEmail({ mailFrom, siteUrl, now }: Order, to: string): Mail {
  const id = randomUUID()
  const text = `This is a test from "doctor --send" at ${siteUrl}. Notices about quote requests arrive here.`
  return {
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    to,
    subject: `Test email from ${new URL(siteUrl).host}`,
    date: now,
    messageId: `<${id}@${domainOf(mailFrom)}>`,
    boundary: id,
    isAutomatic: true,
    text: `${text}\n`,
    html: html`<!doctype html><html lang="en"><title>Test email</title><p>${text}</p></html>`.toString(),
  }
}
