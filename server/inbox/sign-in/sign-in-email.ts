import { randomUUID } from 'node:crypto'
import { brand } from '#facts/brand.ts'
import { CODE_MINUTES, codeLimits, inboxPath, showCode } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../../database/schema.ts'
import { buttons, code, emailBody, heading, type Part, paragraph } from '../../mail/email-body.ts'
import { domainOf, type MailAddress, type Message } from '../../mail/mailer.ts'
import type { Email } from '../../outbox/email.ts'
import { enqueue } from '../../outbox/enqueue.ts'

const DAY_MS = 24 * 60 * 60 * 1000

/** `browser` is a description such as "Chrome on Android". */
type News =
  | { what: 'code'; browser: string; code: string }
  | { what: 'new_browser'; browser: string }
  | { what: 'passkey_added' | 'passkey_removed'; browser: string; name: string; by: string }

/** What an email about signing in says. After `endsAt`, the email isn't sent. */
export type SignInNews = News & { at: string; endsAt: string }
type Queued = { owner: string; news: News; mailFrom: MailAddress }

/** Queues an email about signing in, within the caller's transaction. It expires with the code, or after a day. */
export async function queueSignInEmail(
  transaction: Database,
  { owner, news, mailFrom }: Queued,
  now: Date,
): Promise<void> {
  const lastsMs = news.what === 'code' ? CODE_MINUTES * 60_000 : DAY_MS
  const times = { at: now.toISOString(), endsAt: new Date(now.getTime() + lastsMs).toISOString() }
  const email = {
    kind: 'sign_in' as const,
    recipient: owner,
    messageId: `<sign-in-${randomUUID()}@${domainOf(mailFrom)}>`,
    content: JSON.stringify({ ...news, ...times }),
  }
  await enqueue(transaction, [email], now)
}

/** An email that contains a code, or reports a new browser, or a new or removed passkey. */
export function signInEmail(
  news: SignInNews,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const subject = `${subjectOf[news.what]} ${new URL(siteUrl).host}`
  const parts = news.what === 'code' ? codeParts(news, siteUrl) : reportParts(news, siteUrl)
  return {
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    to: email.recipient,
    subject,
    date: new Date(news.at),
    messageId: email.messageId,
    // Without the domain of the Message-ID, because a MIME boundary can have at most 70 characters.
    boundary: email.messageId.replace(/@.*|\W/g, ''),
    isAutomatic: true,
    ...emailBody({ title: subject, parts: [heading(subject), ...parts], footer: [siteUrl] }),
  }
}

const subjectOf = {
  code: 'Sign in to the inbox at',
  new_browser: 'New sign-in to the inbox at',
  passkey_added: 'A passkey was added for the inbox at',
  passkey_removed: 'A passkey was removed from the inbox at',
}

/**
 * The code is in neither the subject nor the first lines, because a locked phone shows these to anybody, perhaps even to the
 * stranger who asked for the code.
 */
function codeParts({ code: secret, browser, at }: SignInNews & { what: 'code' }, siteUrl: string): Part[] {
  const { host } = new URL(siteUrl)
  const link = `${siteUrl}${inboxPath}/sign-in#code=${secret}`
  const asked = `${browser} asked for a code to sign in to the inbox at ${host}, on ${officeTimeInWords(new Date(at))}. If that was you, enter this code in the browser where you requested it. It works only once, and expires after ${CODE_MINUTES} minutes.`
  const limits = `${codeLimits} A passkey, or a link from the server's shell, always works.`
  const notYou =
    'If it was not you, do nothing: without this code, nobody gets in. Never give it to anybody; we will not ask for it.'
  return [
    paragraph(asked),
    code(showCode(secret)),
    paragraph('In that browser, this link does the same:'),
    buttons([{ label: 'Sign in to the inbox', url: link }]),
    paragraph(notYou),
    paragraph(limits, 'quiet'),
  ]
}

function reportParts(news: Exclude<SignInNews, { what: 'code' }>, siteUrl: string): Part[] {
  return [
    paragraph(describe(news)),
    paragraph(
      'If that was not you, sign out that device and remove any passkeys you do not recognize, then change the password of your mailbox.',
    ),
    buttons([{ label: 'Devices and passkeys', url: `${siteUrl}${inboxPath}/access` }]),
  ]
}

function describe(news: Exclude<SignInNews, { what: 'code' }>): string {
  const at = officeTimeInWords(new Date(news.at))
  if (news.what === 'new_browser')
    return `${news.browser} signed in to your inbox for the first time, on ${at}.`
  const didWhat = news.what === 'passkey_added' ? 'added the passkey' : 'removed your passkey'
  return `${news.by} ${didWhat} "${news.name}" with ${news.browser}, on ${at}.`
}
