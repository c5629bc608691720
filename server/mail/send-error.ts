/** What went wrong with a send: the mail server's reply where there was one, and whether trying again can help. */
export type SendFailure = { smtpCode: number | null; response: string; code: string; isFinal: boolean }

// About the login, whatever the command: wrong or missing credentials are the operator's to mend (RFC 4954).
const AUTHENTICATION_CODES = new Set([530, 534, 535, 538])
// What the server says "no" to here is the recipient or the message itself (RFC 5321); "MAIL FROM" is our set-up.
const COMMANDS_ABOUT_THE_MAIL = new Set(['RCPT TO', 'DATA'])

/** Reads an error of the mailer. Only a 5xx about the recipient or the message is final. */
export function readSendError(error: unknown): SendFailure {
  const { responseCode, response, command, code, message } = Object(error) as Record<string, unknown>
  const smtpCode = typeof responseCode === 'number' ? responseCode : null
  return {
    smtpCode,
    response: String(response ?? message ?? error),
    code: String(code ?? 'UNKNOWN'),
    isFinal:
      smtpCode !== null &&
      smtpCode >= 500 &&
      !AUTHENTICATION_CODES.has(smtpCode) &&
      COMMANDS_ABOUT_THE_MAIL.has(String(command)),
  }
}
