import { randomUUID } from 'node:crypto'
import { errorFacts } from '../error-facts.ts'
import { emailBody, heading, paragraph } from '../mail/email-body.ts'
import { automatic, createSmtpMailer, domainOf, type MailAddress, type Message } from '../mail/mailer.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { explainMailError, oneLine } from './mail-server.ts'

const about = findingsAbout('test email')

const TIMEOUT_MS = 60_000

type TestEmailOptions = {
  smtpUrl: string
  mailFrom: MailAddress
  mailTo: readonly string[]
  siteUrl: string
  now: Date
}

/** Reported if the mail server failed its check. No test email is sent then, because each could take a minute to fail. */
export const noTestEmail = about.warning(
  'No test email was sent, because the mail server does not work yet.',
  'Follow the advice about the mail server, then try again.',
)

/** Sends a test email to each recipient, without queueing it first. Stops if the connection or the login fails. */
export async function sendTestEmails(options: TestEmailOptions): Promise<Finding[]> {
  const mailer = createSmtpMailer(options.smtpUrl)
  const findings: Finding[] = []
  for (const to of options.mailTo)
    try {
      const reply = await mailer.send(testEmail(options, to), AbortSignal.timeout(TIMEOUT_MS))
      findings.push(
        about.ok(
          `The mail server accepted an email to ${to} (${oneLine(reply)}). Check the inbox and the spam folder.`,
        ),
      )
    } catch (error) {
      findings.push(describeRefusal(error, options, to))
      if (!isAboutEmail(error)) break
    }
  mailer.close()
  return findings
}

/** Whether the mail server refused this email, rather than the connection or the login. */
function isAboutEmail(error: unknown): boolean {
  const { responseCode } = errorFacts(error)
  return responseCode !== undefined && responseCode !== 535
}

function describeRefusal(error: unknown, { smtpUrl, mailFrom }: TestEmailOptions, to: string): Finding {
  if (!isAboutEmail(error)) return about.problem(...explainMailError(smtpUrl, error))
  return about.problem(
    `The mail server refuses an email from ${mailFrom.address} to ${to}: ${oneLine(String(errorFacts(error).response))}`,
    'Check MAIL_TO, and MAIL_FROM: the mail server must accept it as a sender.',
  )
}

export function testEmail(
  { mailFrom, siteUrl, now }: Pick<TestEmailOptions, 'mailFrom' | 'siteUrl' | 'now'>,
  to: string,
): Message {
  const text = `This is a test from "doctor --send" at ${siteUrl}. Notices about quote requests will arrive here.`
  return {
    ...automatic(mailFrom, { recipient: to, messageId: `<${randomUUID()}@${domainOf(mailFrom)}>` }),
    subject: `Test email from ${new URL(siteUrl).host}`,
    date: now,
    ...emailBody({ title: 'Test email', parts: [heading('Test email'), paragraph(text)], footer: [siteUrl] }),
  }
}
