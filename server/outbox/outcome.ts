import type { EmailKind } from '../database/schema.ts'
import { errorFacts, messageOf } from '../errors/error-facts.ts'
import { type Email, isToVisitor, type ServerReply } from './email.ts'

/**
 * Why an email wasn't sent. `response` is the mail server's reply, or else the error message.
 * `outcome`: whether to retry.
 */
type SendFailure = Required<ServerReply> & {
  code: string
  outcome: 'retry' | 'failed' | 'bounced'
  /** The server is down, rejects us, or wants us to slow down, so the next email would fail too. */
  isDown: boolean
}

/**
 * Why an email isn't to be sent anymore. `not needed`: it is deleted. `listed`: the mail budget has
 * no room for a notice, so a list of several leads replaces it. The others count as failed.
 */
export type Unsent = 'not needed' | 'listed' | 'too late' | 'decided' | 'turned off'

// No such mailbox or domain, malformed address, mailbox moved, or domain that accepts no mail
// (RFC 3463, RFC 7505). Others of this class are about the sender.
const NO_MAILBOX = /5\.1\.(?:1|2|3|6|10)\b/

/** Whether the status of a bounce says that there is no such mailbox. */
export const isNoMailbox = (status: string): boolean => NO_MAILBOX.test(status)

/** The three-digit code at the start of a reply (RFC 5321), or null. */
export function replyCode(reply: string): number | null {
  const [code] = /^\d{3}(?!\d)/.exec(reply) ?? []
  return code ? Number(code) : null
}

/**
 * What a reply says. `down`: the mail server doesn't work, or not for us. `ours`: our account can't
 * send this email now. The others are about the recipient: `refused` and `no mailbox` give up on
 * the email if the server does, with a code from 500.
 */
type Meaning = 'down' | 'ours' | 'recipient' | 'refused' | 'no mailbox'

/**
 * What a failure looks like (`command reply`, without addresses), and what it means for an email to
 * a visitor, and for one to an owner. The first that matches counts. Any refusal of an email to a
 * visitor is about that visitor, unless it is clearly about us. For emails to owners, no reply is
 * final: an account that is suspended or full, or a domain that has moved, comes back.
 */
const meanings: readonly [pattern: RegExp, toVisitor: Meaning, toOwner: Meaning][] = [
  // Replies to other commands are about our setup (RFC 5321). Without a reply, the connection was
  // lost.
  [/^(?!(?:RCPT TO|DATA) \d{3})/, 'down', 'down'],
  [/^\D+421/, 'down', 'down'],
  // These codes are always about the login or the order of commands (RFC 5321, RFC 4954).
  [/^\D+(?:503|530|534|535|538)/, 'ours', 'ours'],
  // 5.7.x is about security or policy (RFC 3463). Here, it usually means "we don't relay for you".
  [/^RCPT TO 5\d\d[ -]5\.7\./, 'ours', 'ours'],
  // Such as "Daily user sending limit exceeded" (5.4.5 at Google).
  [/^\D+...[ -][45]\.4\.5\b/, 'ours', 'ours'],
  [/\b(?:daily|hourly|sending|message|rate) (?:limit|quota)\b/i, 'ours', 'ours'],
  // Some servers use 5.1.1, or no enhanced code, for problems unrelated to the mailbox.
  [/^\D+4.*(?:relay|sender|verif|auth)/is, 'ours', 'ours'],
  [/relay|sender|verif|auth/i, 'refused', 'ours'],
  [new RegExp(`^RCPT TO 5\\d\\d[ -]${NO_MAILBOX.source}`), 'no mailbox', 'recipient'],
  // Codes x.1.x and x.2.x are about the address and the mailbox, even if they come after DATA.
  [/^\D+...[ -][45]\.[12]\./, 'refused', 'recipient'],
  // Other enhanced codes are about us.
  [/^\D+...[ -][45]\.\d/, 'refused', 'ours'],
  [/^RCPT TO 550.*(?:limit|quota|spam|block|polic|denied|prohibit)/is, 'refused', 'recipient'],
  // A 550 without an enhanced code is enough to doubt a visitor's address.
  [/^RCPT TO 550/, 'no mailbox', 'recipient'],
  [/^RCPT TO/, 'refused', 'recipient'],
  [/^DATA/, 'refused', 'ours'],
]
// A full mailbox, for which some servers use 552, too, and limits of our account.
const notAboutFiles =
  /^\d{3}[ -]\d\.(?:2\.2|4\.5)\b|quota|mailbox (?:is )?full|\b(?:daily|hourly|sending|rate) limit/i
// A bounce has only a status. Without a code, it's the mailer, which knows the server's limit.
const tooLarge =
  /^(?:5\d\d[ -]|status )5\.(?:3\.4|2\.3)\b|\btoo (?:large|big)\b|\bsize\b.*\bexceed|\bexceed.*\bsize\b|^Message size larger/is
const refusedKind =
  /^552[ -]5\.7\.0\b|attachment|executable|file ?(?:type|name|extension)|virus|malware|\bid=\S+ - banned:|potential security/i

/** What a mail server's final refusal says about the files of an email; undefined if nothing. */
export function filesTrouble({ smtpCode, response }: ServerReply): 'kind' | 'size' | undefined {
  const reply = withoutAddress(response)
  if ((smtpCode !== null && smtpCode < 500) || notAboutFiles.test(reply)) return undefined
  if (tooLarge.test(reply)) return 'size'
  if (smtpCode === null) return undefined
  if (refusedKind.test(reply)) return 'kind'
  return smtpCode === 552 ? 'size' : undefined
}

const hasFiles = (content: string | null) => content !== null && JSON.parse(content).files !== undefined

// Addresses could contain a word that we look for: "author@" contains "auth".
const withoutAddress = (reply: string) => reply.slice(0, MAX_REPLY).replace(/<[^<>]*>/g, '')
// Some servers say the same in several languages. On a megabyte, the patterns would take minutes.
const MAX_REPLY = 4_000

// A server may defer any email once or twice (greylisting) before it reads it. After that, it
// probably dislikes the content, even if it replies 421.
const DEFERRALS = 3
// The kinds that have no text of a visitor, or nobody who would miss it.
const WITHOUT_WORDS: readonly EmailKind[] = ['visitor_receipt', 'sign_in', 'webhook']

/** Interprets an error from the mailer. */
export function readSendError(
  error: unknown,
  { kind, attempts, cause, content }: Pick<Email, 'kind' | 'attempts' | 'cause' | 'content'>,
): SendFailure {
  const { responseCode, response, command, code } = errorFacts(error)
  const smtpCode = replyCode(String(responseCode))
  const words = String(response ?? messageOf(error))
  const reply = command === 'STARTTLS' ? `The connection could not be encrypted (STARTTLS): ${words}` : words
  const known = meanings.find(([pattern]) => pattern.test(`${command} ${withoutAddress(reply)}`))
  const [, toVisitor, toOwner] = known ?? []
  const meaning = (isToVisitor(kind) ? toVisitor : toOwner) ?? 'down'
  // Without the visitor's text, the files would be refused again.
  const isAboutFiles =
    isToVisitor(kind) && hasFiles(content) && filesTrouble({ smtpCode, response: words }) !== undefined
  const isRejected = smtpCode !== null && smtpCode >= 500 && smtpCode <= 599
  const isAboutContent =
    command === 'DATA' &&
    !/^\d{3}[ -][45]\.[12]\./.test(reply) &&
    !WITHOUT_WORDS.includes(kind) &&
    // If it was refused without the visitor's text, too, the text isn't the reason.
    cause !== 'content' &&
    (isRejected || attempts >= DEFERRALS)
  const isFinal =
    isAboutFiles || (isRejected && !isAboutContent && (meaning === 'refused' || meaning === 'no mailbox'))
  const isAboutUs = meaning === 'down' || meaning === 'ours'
  return {
    smtpCode,
    response: reply,
    code: String(code ?? 'UNKNOWN'),
    outcome: isFinal ? (meaning === 'no mailbox' ? 'bounced' : 'failed') : 'retry',
    isDown: meaning === 'down' && !isAboutFiles,
    cause: isAboutContent ? 'content' : isAboutUs ? 'server' : 'recipient',
  }
}
