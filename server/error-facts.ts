/** What errors of Node, its libraries and the database may carry besides a message. */
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
  /** The reply of a mail server, the SMTP command, and the code of the reply. */
  response?: string
  command?: string
  responseCode?: number
}

/** Reads the fields of anything that was thrown; all of them are undefined if it was not an object. */
export const errorFacts = (error: unknown): ErrorFacts => Object(error)
