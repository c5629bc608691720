/** Fields of the errors that Node, our libraries and the database throw. */
type ErrorFacts = {
  code?: string | number
  /** In errors from nodemailer, the code of the cause. */
  originalCode?: string
  name?: string
  message?: string
  path?: string
  stack?: string
  cause?: unknown
  syscall?: string
  /** An HTTP status, in errors from Express. */
  status?: number
  /** A mail server's reply. */
  response?: string
  /** The SMTP command that failed. */
  command?: string
  responseCode?: number
}

/**
 * Reads these fields from anything that was thrown. If that isn't an object, all fields are
 * undefined.
 */
export const errorFacts = (error: unknown): ErrorFacts => Object(error)

/**
 * What an error says. If a host name has several addresses and none accepts a connection, the error
 * has only a code.
 */
export function messageOf(error: unknown): string {
  const { message, code } = errorFacts(error)
  return message || (code ? `no connection (${code})` : String(error))
}

/**
 * An error whose message tells the operator what is wrong and what to do, so it is shown without a
 * stack.
 */
export class OperatorError extends Error {}
