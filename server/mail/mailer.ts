import { mkdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import MailComposer from 'nodemailer/lib/mail-composer'
import type { MimeNodeEnvelope } from 'nodemailer/lib/mime-node'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import { startDeadline } from '../deadline.ts'
import { writeDurably } from '../files/sync.ts'
import { copyName } from './mail-copies.ts'

/** An address with or without a display name: `Plumbline <hello@example.com>`. */
export type MailAddress = { address: string; name?: string | undefined }

/** What stands behind the `@`: Message-IDs are unique below it. */
export const domainOf = ({ address }: MailAddress): string => address.slice(address.lastIndexOf('@') + 1)

/** A whole email in plain strings; `date`, `messageId` and `boundary` fixed, so that every attempt is the same bytes. */
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
  /** Sent by a program: no vacation notice answers it (RFC 3834). */
  isAutomatic?: boolean
  /** Further headers. They are shown by few mail programs and quoted by none. */
  headers?: Record<string, string>
}

export type Mailer = {
  /** Hands the email over and returns the server's reply. Rejects when that fails or `signal` aborts. */
  send: (mail: Mail, signal: AbortSignal) => Promise<string>
  /** Closes the connections that are kept for the next email. */
  close: () => void
}

const SECOND_MS = 1_000
// Up to the final dot a healthy server is quick. After it, it may scan and store: RFC 5321 4.5.3.2.6 allows ten minutes,
// and hanging up earlier gets the email delivered once for each try.
const UNTIL_DOT_MS = 90 * SECOND_MS
const AFTER_DOT_MS = 10 * 60 * SECOND_MS

const timeouts = {
  connectionTimeout: 30 * SECOND_MS,
  greetingTimeout: 30 * SECOND_MS,
  dnsTimeout: 5 * SECOND_MS,
  // The deadlines above end a hanging step sooner.
  socketTimeout: AFTER_DOT_MS + 30 * SECOND_MS,
}

// One connection for each lane of the outbox, kept for a moment: most of the time of a send is connecting.
const pool = {
  maxConnections: 8,
  // Many servers allow 20 emails or fewer for each connection.
  maxMessages: 20,
  idleTimeout: 5 * SECOND_MS,
  // A server that never closes its side must not hold up our exit.
  socketCloseTimeout: SECOND_MS / 2,
} as const

// The text comes from strangers: it must never be read as "attach this file" or "fetch this address".
const sealed = { disableFileAccess: true, disableUrlAccess: true }

// Against answers by programs; bounces may come.
const automatic = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

type Composed = { raw: Buffer; envelope: MimeNodeEnvelope }

/** The bytes of an email, the same each time, and where it goes. */
export async function compose({ replyTo, boundary, isAutomatic, headers, ...mail }: Mail): Promise<Composed> {
  const composer = new MailComposer({
    ...mail,
    ...sealed,
    text: withCrlf(mail.text),
    html: withCrlf(mail.html),
    // As an object: a string would be read as a list of addresses.
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    headers: { ...headers, ...(isAutomatic && automatic) },
    baseBoundary: boundary,
    xMailer: false,
  })
  const message = composer.compile()
  return { raw: await message.build(), envelope: message.getEnvelope() }
}

// nodemailer's own `newline: 'windows'` is a quarter of composing an email.
const withCrlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n')

/** Sends by SMTP. The one place, with the file mailer below, that knows nodemailer. */
export function createSmtpMailer(smtpUrl: string): Mailer {
  let connections = openPool(smtpUrl)

  /** What was used before may be at the end of what a server allows one connection: then a new one is worth a try. */
  async function sendOnce(message: Composed, signal: AbortSignal, isLastTry: boolean): Promise<string> {
    const used = connections
    try {
      return await used.send(message, signal)
    } catch (error) {
      if (!isTransient(error) || signal.aborted) throw error
      if (used === connections) connections = openPool(smtpUrl)
      used.close()
      if (isLastTry || !used.wasUsed()) throw error
      return sendOnce(message, signal, true)
    }
  }

  return {
    send: async (mail, signal) => sendOnce(await compose(mail), signal, false),
    close: () => connections.close(),
  }
}

const isTransient = (error: unknown) => /^4\d\d$/.test(String(Object(error).responseCode))

// `Readable.from` would make an iterator of it first.
const streamOf = (bytes: Buffer) =>
  new Readable({
    read() {
      this.push(bytes)
      this.push(null)
    },
  })

/** Connections that are kept for the next email. Closing lets those that are sending finish. */
function openPool(smtpUrl: string) {
  let sent = 0
  const transport = openTransport({ url: smtpUrl, ...pool, ...timeouts, ...sealed })
  return {
    wasUsed: () => sent > 0,
    async send({ raw, envelope }: Composed, signal: AbortSignal): Promise<string> {
      using deadline = startDeadline(UNTIL_DOT_MS, 'The mail server did not answer in time.')
      using _following = deadline.follow(signal)
      const message = {
        // A new one for each try: the connection notes in it what was refused.
        getEnvelope: () => ({ ...envelope, to: [...envelope.to] }),
        // Only for its log, which is off.
        messageId: () => '',
        getHeader: () => '',
        // Read once the recipient is accepted: its end is the moment of the final dot.
        createReadStream: () => streamOf(raw).once('end', () => deadline.restart(AFTER_DOT_MS)),
      }
      const response = await new Promise<string>((resolve, reject) => {
        const order = { data: { signal: deadline.signal }, message } as unknown as Parameters<
          typeof transport.send
        >[0]
        transport.send(order, (error, info) => (error ? reject(error) : resolve(info?.response ?? '')))
      })
      sent++
      return response
    },
    close: () => transport.close(),
  }
}

/** Whether a password would go to another machine: then only encrypted. */
const isFarLogin = ({ auth, secure, host = 'localhost' }: SMTPPool['options']) =>
  auth !== undefined && !secure && !/^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/i.test(host)

/** Set afterward: what the address itself says of TLS comes before the options, and must not undo this. */
function openTransport(options: SMTPPool.Options, requireTLS = false) {
  const transport = new SMTPPool(options)
  if (requireTLS || isFarLogin(transport.options)) transport.options.requireTLS = true
  return transport
}

/**
 * Connects and logs in, sends nothing, and tells whether that was encrypted. Rejects as a send would; a server that is
 * silent for `patienceMs` counts as gone.
 */
export async function tryLogin(smtpUrl: string, patienceMs = 10_000): Promise<{ isEncrypted: boolean }> {
  const patience = { connectionTimeout: patienceMs, greetingTimeout: patienceMs, socketTimeout: patienceMs }
  const verify = (requireTLS: boolean) =>
    openTransport({ url: smtpUrl, ...timeouts, ...patience }, requireTLS).verify()
  try {
    await verify(true)
    return { isEncrypted: true }
  } catch (error) {
    // It has no STARTTLS. A send without a login would go on; whether it gets through that way is the second question.
    if (Object(error).command !== 'STARTTLS') throw error
    await verify(false)
    return { isEncrypted: false }
  }
}

/**
 * Without a mail server: each email becomes an `.eml` file, which every mail program opens. Rejects once `isSmtpUsed`:
 * another replica has a mail server, and a file would count as a delivery.
 */
export function createFileMailer(folder: string, isSmtpUsed: () => Promise<boolean>): Mailer {
  mkdirSync(folder, { recursive: true })
  return {
    async send(mail) {
      if (await isSmtpUsed()) throw new Error('SMTP_URL is not set here, but emails are sent by SMTP.')
      const name = copyName(mail.messageId)
      await writeDurably(folder, name, (await compose(mail)).raw)
      return `written to ${name}`
    },
    close() {},
  }
}
