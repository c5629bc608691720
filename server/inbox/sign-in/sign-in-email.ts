import { brand } from '#facts/brand.ts'
import { CODE_MINUTES, codeLimits, inboxPath, showCode } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { RestoredBackup } from '../../backup/restored-backup.ts'
import { buttons, code, emailBody, heading, type Part, paragraph } from '../../mail/email-body.ts'
import type { Email, MailAddress } from '../../mail/mailer.ts'
import type { Job } from '../../outbox/email.ts'

/**
 * What an email about signing in says. `browser` is a description such as "Chrome on Android". After `endsAt`, the email
 * isn't sent.
 */
export type SignInNews = { at: string; endsAt: string } & (
  | { what: 'code'; browser: string; code: string }
  | { what: 'new_browser'; browser: string }
  | { what: 'passkey_added' | 'passkey_removed'; browser: string; name: string; by: string }
  | ({ what: 'restored' } & RestoredBackup)
)

type Sender = { mailFrom: MailAddress; siteUrl: string }

/** An email that contains a code, or reports a new browser, a new or removed passkey, or a restored backup. */
export function signInEmail(
  news: SignInNews,
  job: Pick<Job, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: Sender,
): Email {
  const { host } = new URL(siteUrl)
  const subject = subjectOf[news.what](host)
  return {
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    to: job.recipient,
    subject,
    date: new Date(news.at),
    messageId: job.messageId,
    // Without the domain of the Message-ID, because a MIME boundary can have at most 70 characters.
    boundary: job.messageId.replace(/@.*|\W/g, ''),
    isAutomatic: true,
    ...emailBody({ title: subject, parts: [heading(subject), ...partsOf(news, siteUrl)], footer: [siteUrl] }),
  }
}

function partsOf(news: SignInNews, siteUrl: string): Part[] {
  if (news.what === 'code') return codeParts(news, siteUrl)
  const access = buttons([{ label: 'Devices and passkeys', url: `${siteUrl}${inboxPath}/access` }])
  if (news.what === 'restored') return [...restoredParts(news), access]
  return [
    paragraph(describe(news)),
    paragraph(
      'If that was not you, sign out that device and remove any passkeys you do not recognize, then change the password of your mailbox.',
    ),
    access,
  ]
}

function restoredParts({ backupAt, newestLeadAt, at }: SignInNews & { what: 'restored' }): Part[] {
  const inWords = (time: string) => officeTimeInWords(new Date(time))
  const backup = backupAt ? `a backup of ${inWords(backupAt)}` : 'a backup'
  const newest = newestLeadAt
    ? `The newest request in it is from ${inWords(newestLeadAt)}.`
    : 'It has no requests.'
  return [
    paragraph(
      `Your requests were restored from ${backup}. ${newest} What you did in the inbox after the backup was made is gone: look through your open requests. The website has been using the backup since ${inWords(at)}.`,
    ),
    paragraph(
      'For your safety, everyone was signed out and all passkeys were removed. Sign in with a code that we email to you. Then add a passkey again on each of your devices.',
    ),
    paragraph('If you did not know about this, ask the person who looks after your website.'),
  ]
}

/**
 * The code is in neither the subject nor the first lines, because a locked phone shows these to anybody, perhaps even to the
 * stranger who asked for the code.
 */
function codeParts({ code: secret, browser, at }: SignInNews & { what: 'code' }, siteUrl: string): Part[] {
  const { host } = new URL(siteUrl)
  const link = `${siteUrl}${inboxPath}/sign-in#code=${secret}`
  const asked = `${browser} asked for a code to sign in to the inbox at ${host}, on ${officeTimeInWords(new Date(at))}. If that was you, enter this code in the browser where you requested it. It works only once, and expires after ${CODE_MINUTES} minutes.`
  const orElse = 'In that browser, this link does the same:'
  const limits = `${codeLimits} A passkey, or a link from the server's shell, always works.`
  const notYou =
    'If it was not you, do nothing: without this code, nobody gets in. Never give it to anybody; we will not ask for it.'
  return [
    paragraph(asked),
    code(showCode(secret)),
    paragraph(orElse),
    buttons([{ label: 'Sign in to the inbox', url: link }]),
    paragraph(notYou),
    paragraph(limits, 'quiet'),
  ]
}

const subjectOf = {
  code: (host: string) => `Sign in to the inbox at ${host}`,
  new_browser: (host: string) => `New sign-in to the inbox at ${host}`,
  passkey_added: (host: string) => `A passkey was added for the inbox at ${host}`,
  passkey_removed: (host: string) => `A passkey was removed from the inbox at ${host}`,
  restored: (host: string) => `The inbox at ${host} was restored from a backup`,
}

function describe(news: Exclude<SignInNews, { what: 'code' | 'restored' }>): string {
  const at = officeTimeInWords(new Date(news.at))
  switch (news.what) {
    case 'new_browser':
      return `${news.browser} signed in to your inbox for the first time, on ${at}.`
    case 'passkey_added':
      return `${news.by} added the passkey "${news.name}" with ${news.browser}, on ${at}.`
    case 'passkey_removed':
      return `${news.by} removed your passkey "${news.name}" with ${news.browser}, on ${at}.`
  }
}
