import { randomUUID } from 'node:crypto'
import { CODE_MINUTES, inboxPath, showCode } from '#shared/inbox/api.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Notes } from '../../database/notes.ts'
import type { Database } from '../../database/schema.ts'
import { buttons, code, type EmailPart, emailBody, heading, paragraph } from '../../mail/email-body.ts'
import { automatic, type Envelope, type Message, type Sender } from '../../mail/mailer.ts'
import { domainOf, enqueue } from '../../outbox/email.ts'
import type { InboxDeps } from '../inbox-deps.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/**
 * `browser` is a description such as "Chrome on Android". `isKnown`: this owner has signed in with
 * it before.
 */
type News =
  | { what: 'code'; browser: string; code: string; isKnown: boolean }
  | { what: 'new_browser'; browser: string }
  | { what: 'passkey_added' | 'passkey_removed'; browser: string; name: string; by: string }
  | ({ what: 'restored' } & Notes['restored_backup'])

/** What an email about signing in says. After `endsAt`, the email isn't sent. */
export type SignInNews = News & { at: string; endsAt: string }

/**
 * Queues an email about signing in, within the caller's transaction. It expires with the code; news
 * are sent for a month.
 */
export async function queueSignInEmail(
  transaction: Database,
  owner: string,
  news: News,
  { now, env }: Pick<InboxDeps, 'now' | 'env'>,
): Promise<void> {
  const at = now()
  const lastsMs = news.what === 'code' ? CODE_MINUTES * 60_000 : 30 * DAY_MS
  const times = { at: at.toISOString(), endsAt: new Date(at.getTime() + lastsMs).toISOString() }
  const email = {
    kind: 'sign_in' as const,
    recipient: owner,
    messageId: `<sign-in-${randomUUID()}@${domainOf(env.MAIL_FROM)}>`,
    content: JSON.stringify({ ...news, ...times }),
  }
  await enqueue(transaction, [email], at)
}

/**
 * If the data was restored from a backup, tells every owner, once. The restore has left a note,
 * which this deletes in the transaction that queues the emails.
 */
export async function reportRestore(deps: Pick<InboxDeps, 'db' | 'now' | 'env'>): Promise<void> {
  await deps.db.transaction().execute(async (transaction) => {
    const note = await transaction
      .deleteFrom('settings')
      .where('name', '=', 'restored_backup')
      .returning('value')
      .executeTakeFirst()
    if (!note) return
    const news = { what: 'restored' as const, ...(JSON.parse(note.value) as Notes['restored_backup']) }
    for (const owner of deps.env.MAIL_TO) await queueSignInEmail(transaction, owner, news, deps)
  })
}

/**
 * An email that contains a code, or reports a new browser, a new or removed passkey, or a restored
 * backup.
 */
export function signInEmail(news: SignInNews, email: Envelope, { mailFrom, siteUrl }: Sender): Message {
  const title = `${subjectOf[news.what]} ${new URL(siteUrl).host}`
  const parts = news.what === 'code' ? codeParts(news, siteUrl) : reportParts(news, siteUrl)
  return {
    ...automatic(mailFrom, email),
    subject: news.what === 'code' && news.isKnown ? `${showCode(news.code)}: ${title}` : title,
    date: new Date(news.at),
    ...emailBody({ title, parts: [heading(title), ...parts], footer: [siteUrl] }),
  }
}

const subjectOf = {
  code: 'Sign in to the inbox at',
  new_browser: 'New sign-in to the inbox at',
  passkey_added: 'A passkey was added for the inbox at',
  passkey_removed: 'A passkey was removed from the inbox at',
  restored: 'A backup was restored for the inbox at',
}

/**
 * The first lines don't have the code, because a locked phone shows these to anybody, perhaps even
 * to the stranger who asked for the code in another browser. So only a browser in which the owner
 * has signed in before gets it in the subject.
 */
function codeParts(
  { code: secret, browser, at }: SignInNews & { what: 'code' },
  siteUrl: string,
): EmailPart[] {
  const link = `${siteUrl}${inboxPath}/sign-in#code=${secret}`
  const asked = `${browser} asked for this code on ${officeTimeInWords(new Date(at))}. If that was you, enter it there within ${CODE_MINUTES} minutes. If not, do nothing: without this code, nobody gets in. Never give it to anybody.`
  return [
    paragraph(asked),
    code(showCode(secret)),
    paragraph('Or open this link there:'),
    buttons([{ label: 'Sign in to the inbox', url: link }]),
  ]
}

type Report = Exclude<SignInNews, { what: 'code' }>

const reportParts = (news: Report, siteUrl: string): EmailPart[] => [
  ...describe(news).map((sentences) => paragraph(sentences)),
  buttons([{ label: 'Devices and passkeys', url: `${siteUrl}${inboxPath}/access` }]),
]

function describe(news: Report): string[] {
  const at = officeTimeInWords(new Date(news.at))
  const notYou =
    'If that was not you, sign out that device and remove any passkeys you do not recognize, then change the password of your mailbox.'
  switch (news.what) {
    case 'new_browser':
      return [`${news.browser} signed in to your inbox for the first time, on ${at}.`, notYou]
    case 'passkey_added':
      return [`${news.by} added the passkey "${news.name}" with ${news.browser}, on ${at}.`, notYou]
    case 'passkey_removed':
      return [`${news.by} removed your passkey "${news.name}" with ${news.browser}, on ${at}.`, notYou]
    case 'restored':
      return [
        `On ${at}, your requests were restored from a backup${ofTime(news.backupAt)}. What you did in the inbox after the backup was made is gone: look through your open requests.`,
        'For your safety, everyone was signed out and all passkeys were removed. Sign in with a code, then add a passkey again on each of your devices.',
        'If you did not know about this, ask the person who looks after your website.',
      ]
  }
}

const ofTime = (time: string | null) => (time ? ` of ${officeTimeInWords(new Date(time))}` : '')
