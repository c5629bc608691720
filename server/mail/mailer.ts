import { mkdirSync } from 'node:fs'
import { createTransport } from 'nodemailer'
import { writeDurably } from '../files/sync.ts'
import { copyName } from './mail-copies.ts'

/** A whole mail in plain strings; `date`, `messageId` and `boundary` fixed, so that every attempt is the same bytes. */
export type Mail = {
  from: { name: string; address: string }
  /** Left out where an answer belongs to the sender. */
  replyTo?: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
  messageId: string
  boundary: string
  /** Sent by a program on its own: no vacation notice answers it (RFC 3834). */
  isAutomatic?: boolean
}

export type Mailer = {
  /** Hands the mail over and returns the server's reply. Rejects when that fails or `signal` aborts. */
  send: (mail: Mail, signal: AbortSignal) => Promise<string>
}

// A whole send is over within 60 s (the lease is longer); these end a hanging step of it sooner.
const timeouts = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  dnsTimeout: 5_000,
  socketTimeout: 30_000,
}

// The text comes from strangers: it must never be read as "attach this file" or "fetch this address".
const sealed = { disableFileAccess: true, disableUrlAccess: true }

const toMessage = ({ replyTo, boundary, isAutomatic, ...mail }: Mail) => ({
  ...mail,
  // As an object: a string would be read as a list of addresses.
  ...(replyTo && { replyTo: { name: '', address: replyTo } }),
  ...(isAutomatic && { headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' } }),
  baseBoundary: boundary,
  xMailer: false as const,
})

/** Sends by SMTP. The one place, with the file mailer below, that knows nodemailer. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  const transport = createTransport({ url: smtpUrl, ...timeouts, ...sealed })
  return {
    async send(mail, signal) {
      const { response } = await transport.sendMail({ ...toMessage(mail), signal })
      return response
    },
  }
}

/**
 * Connects and logs in, sends nothing, and tells whether that was encrypted. Rejects as a send would; a server that is
 * silent for `patienceMs` counts as gone.
 */
export async function tryLogin(smtpUrl: string, patienceMs = 10_000): Promise<{ isEncrypted: boolean }> {
  const patience = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }
  const verify = (requireTLS: boolean) =>
    createTransport({ url: smtpUrl, ...timeouts, ...sealed, ...patience, requireTLS }).verify()
  try {
    await verify(true)
    return { isEncrypted: true }
  } catch (error) {
    // It has no STARTTLS. A send would go on without; whether it gets through that way is the second question.
    if (Object(error).command !== 'STARTTLS') throw error
    await verify(false)
    return { isEncrypted: false }
  }
}

/** Without a mail server: each mail becomes an `.eml` file, which every mail program opens. */
export function createFileMailer(folder: string): Mailer {
  mkdirSync(folder, { recursive: true })
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows', ...sealed })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(toMessage(mail))
      const name = copyName(mail.messageId)
      await writeDurably(folder, name, message as Buffer)
      return `written to ${name}`
    },
  }
}
