/** What went wrong with a send: the mail server's reply where there was one, and whether trying again can help. */
export type SendFailure = { smtpCode: number | null; response: string; code: string; isFinal: boolean }

// What the server says "no" to here is the recipient or the message itself (RFC 5321); "MAIL FROM" is our set-up.
const COMMANDS_ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])
// But these speak of the login or the order of things, whatever the command (RFC 5321, RFC 4954).
const CODES_ABOUT_THE_SETUP = new Set([503, 530, 534, 535, 538])
// And a recipient refused with 5.7.x (RFC 3463: security or policy) mostly means "we do not relay for you".
const isRelayPolicy = (command: string, response: string) =>
  command === 'RCPT TO' && /^5\d\d[ -]5\.7\./.test(response)

/** The code that a reply of the other side begins with, where it has one: three digits (RFC 5321). */
export function replyCode(reply: string): number | null {
  const [code] = /^\d{3}(?!\d)/.exec(reply) ?? []
  return code ? Number(code) : null
}

/** Reads an error of the mailer. Only a 5xx about the recipient or the message is final. */
export function readSendError(error: unknown): SendFailure {
  const { responseCode, response, command, code, message } = Object(error) as Record<string, unknown>
  const smtpCode = replyCode(String(responseCode))
  const reply = String(response ?? message ?? error)
  return {
    smtpCode,
    response: reply,
    code: String(code ?? 'UNKNOWN'),
    isFinal:
      smtpCode !== null &&
      smtpCode >= 500 &&
      smtpCode <= 599 &&
      COMMANDS_ABOUT_THE_MAIL.has(String(command)) &&
      !CODES_ABOUT_THE_SETUP.has(smtpCode) &&
      !isRelayPolicy(String(command), reply),
  }
}
