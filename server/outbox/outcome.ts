import type { EmailKind } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { type Email, isToVisitor, type ServerReply } from './email.ts'

/** Why an email wasn't sent, and whether to retry. `response` is the mail server's reply, or else the error message. */
type SendFailure = Required<ServerReply> & {
  code: string
  isFinal: boolean
  /** The server is down, rejects us, or wants us to slow down, so the next email would fail too. */
  isAboutServer: boolean
}

/** Thrown if an email would arrive too late. The email isn't sent, and counts as failed. */
export class TooLate extends Error {}

/** Thrown if the mail budget has no room for a notice or a reminder. A list of several leads replaces it. */
export class Listed extends Error {}

/** Thrown if an email is no longer needed. It is deleted instead of sent. */
export class NotNeeded extends Error {}

/** The three-digit code at the start of a reply (RFC 5321), or null. */
export function replyCode(reply: string): number | null {
  const [code] = /^\d{3}(?!\d)/.exec(reply) ?? []
  return code ? Number(code) : null
}

// These codes are always about the login or the order of commands (RFC 5321, RFC 4954).
const CODES_ABOUT_THE_SETUP = [503, 530, 534, 535, 538]
// A server may defer any email once or twice (greylisting) before it reads it. After that, it probably dislikes the content,
// even if it replies 421.
const DEFERRALS = 3
// The kinds that have no text of a visitor, or nobody who would miss it.
const WITHOUT_WORDS: readonly EmailKind[] = ['visitor_receipt', 'sign_in', 'webhook']
// Removes addresses, because they could contain a word that we look for: "author@" contains "auth".
const withoutAddress = (reply: string) => reply.replace(/<[^<>]*>/g, '')
// Some servers use 5.1.1, or no enhanced code, for problems unrelated to the mailbox. Such replies contain these words.
const isAboutUs = (reply: string) => /relay|sender|verif|auth/i.test(withoutAddress(reply))
// Such as "Daily user sending limit exceeded" (5.4.5 at Google). Not the size of an email, nor a full mailbox.
const isOurLimit = (reply: string) =>
  /^\d{3}[ -][45]\.4\.5\b|\b(?:daily|hourly|sending|message|rate) (?:limit|quota)\b/i.test(
    withoutAddress(reply),
  )
const isAboutRules = (reply: string) =>
  /limit|quota|spam|block|polic|denied|prohibit/i.test(withoutAddress(reply))
// No such mailbox, malformed address, mailbox moved, or domain that accepts no mail (RFC 3463, RFC 7505).
const isUnknownMailbox = (reply: string) => /^5\d\d[ -]5\.1\.(1|3|6|10)\b/.test(reply) && !isAboutUs(reply)
// A 550 without an enhanced code is enough to doubt a visitor's address.
const isDoubtfulMailbox = (reply: string) =>
  /^550[ -](?!5\.\d)/.test(reply) && !isAboutUs(reply) && !isAboutRules(reply)
// Enhanced codes x.1.x and x.2.x are about the address and the mailbox (RFC 3463), even if the server gives them only after
// DATA. The other codes are about us.
const hasMailboxCode = (reply: string) => /^\d{3}[ -][45]\.[12]\./.test(reply)
const hasCode = (reply: string) => /^\d{3}[ -][45]\.\d/.test(reply)

/**
 * Interprets an error from the mailer. For emails to owners, no reply is final: an account that is
 * suspended or full, or a domain that has moved, comes back.
 */
export function readSendError(
  error: unknown,
  kind: EmailKind,
  { attempts, cause }: Pick<Email, 'attempts' | 'cause'> = { attempts: 1, cause: null },
): SendFailure {
  const { responseCode, response, command, code, message } = errorFacts(error)
  const smtpCode = replyCode(String(responseCode))
  const words = String(response ?? message ?? error)
  const reply = command === 'STARTTLS' ? `The connection could not be encrypted (STARTTLS): ${words}` : words
  const isRejected = smtpCode !== null && smtpCode >= 500 && smtpCode <= 599
  // Rejections of these commands are about the recipient or the message (RFC 5321). Others are about our setup.
  const isAtRecipient = command === 'RCPT TO'
  const isAboutTheEmail = isAtRecipient || command === 'DATA'
  // A 5.7.x reply (RFC 3463: security or policy) to RCPT TO usually means "we don't relay for you".
  const isAboutSetup =
    CODES_ABOUT_THE_SETUP.includes(Number(smtpCode)) ||
    (isAtRecipient && /^5\d\d[ -]5\.7\./.test(reply)) ||
    isOurLimit(reply)
  // If it was refused without the visitor's text, too, the content isn't the reason, so the next attempt is complete again.
  const isAboutContent =
    command === 'DATA' &&
    cause !== 'content' &&
    !hasMailboxCode(reply) &&
    !WITHOUT_WORDS.includes(kind) &&
    (isRejected || attempts >= DEFERRALS)
  const toVisitor = isToVisitor(kind)
  const isAboutServer = smtpCode === 421 || smtpCode === null || !isAboutTheEmail
  // Any refusal of an email to a visitor is about that visitor, unless it is clearly about us.
  const isAboutRecipient = toVisitor
    ? !isAboutServer && !isAboutSetup
    : isAboutTheEmail && (hasMailboxCode(reply) || (isAtRecipient && !hasCode(reply)))
  return {
    smtpCode,
    response: reply,
    code: String(code ?? 'UNKNOWN'),
    isFinal: toVisitor && isRejected && isAboutTheEmail && !isAboutContent && !isAboutSetup,
    isBounce:
      toVisitor && isRejected && isAtRecipient && (isUnknownMailbox(reply) || isDoubtfulMailbox(reply)),
    isAboutServer,
    cause: isAboutContent ? 'content' : isAboutRecipient && !isAboutUs(reply) ? 'recipient' : 'server',
  }
}
