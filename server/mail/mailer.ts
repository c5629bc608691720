import { mkdirSync } from 'node:fs'
import { Readable } from 'node:stream'
import { createTransport } from 'nodemailer'
import MailComposer from 'nodemailer/lib/mail-composer'
import SMTPPool from 'nodemailer/lib/smtp-pool'
import { brand } from '#facts/brand.ts'
import { writeDurably } from '../files/sync.ts'
import { emlName } from './eml-files.ts'
import { type Tokens, withToken } from './oauth.ts'
import { isThisMachine } from './this-machine.ts'

/** An address with or without a display name: `Agency <hello@example.com>`. */
export type MailAddress = { address: string; name?: string | undefined }

/** Who sends an email, and the site that it is about. */
export type Sender = { mailFrom: MailAddress; siteUrl: string }

/** To whom an email of the outbox goes, and its name, which stays the same. */
export type Envelope = { recipient: string; messageId: string }

/**
 * What all automatic emails have in common. They come from our own domain, so that SPF and DKIM
 * pass.
 */
export const automatic = (mailFrom: MailAddress, email: Envelope, name = `${brand.name} website`) => ({
  from: { name: mailFrom.name ?? name, address: mailFrom.address },
  to: email.recipient,
  messageId: email.messageId,
  isAutomatic: true,
})

/**
 * What an email says. The caller sets `date` and `messageId`, so that every attempt sends the same
 * bytes.
 */
export type Message = {
  from: { name: string; address: string }
  /** Omitted if replies should go to the sender. */
  replyTo?: string
  to: string
  subject: string
  text: string
  html: string
  date: Date
  messageId: string
  /** Suppresses vacation replies (RFC 3834). */
  isAutomatic?: boolean
  /** Additional headers. Few email programs show them, and none quotes them in replies. */
  headers?: Record<string, string>
  files?: readonly MailFile[]
}

/** A file of an email. `open` is called for each attempt, and reads a part at a time. */
export type MailFile = { name: string; type: string; size: number; open: () => AsyncIterable<Uint8Array> }

type Mailer = ReturnType<typeof createSmtpMailer>

const SECOND_MS = 1_000

const timeouts = {
  connectionTimeout: 30 * SECOND_MS,
  greetingTimeout: 30 * SECOND_MS,
  dnsTimeout: 5 * SECOND_MS,
  // How long the server may be silent. After the final dot, which ends the email, it may take
  // minutes to scan and store the email: if we hung up earlier, each attempt might deliver a
  // duplicate.
  socketTimeout: 5 * 60 * SECOND_MS,
}

const poolOptions = {
  // Microsoft 365 accepts no more.
  maxConnections: 3,
  // Many servers accept no more emails than this on one connection.
  maxMessages: 20,
  // An idle connection stays open briefly, because connecting takes most of the time that a send
  // needs.
  idleTimeout: 2 * SECOND_MS,
  // A server that never closes its side must not delay our exit.
  socketCloseTimeout: SECOND_MS / 2,
} as const

// The text comes from strangers: it must never make nodemailer attach a file or fetch a URL.
const noFetching = { disableFileAccess: true, disableUrlAccess: true }

const automaticHeaders = { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'OOF, AutoReply' }

/**
 * Returns the bytes of an email, which are the same for each attempt, and its envelope. With files,
 * the bytes are a stream, so that they never fill the memory.
 */
export async function compose(message: Message) {
  const { replyTo, isAutomatic, headers, files, ...fields } = message
  const composed = new MailComposer({
    ...fields,
    ...noFetching,
    // Passed as an object, because a string would be parsed as a list of addresses.
    ...(replyTo && { replyTo: { name: '', address: replyTo } }),
    headers: { ...headers, ...(isAutomatic && automaticHeaders) },
    // A MIME boundary can have at most 70 characters, of which nodemailer adds 14 or more.
    baseBoundary: fields.messageId.replace(/@.*|\W/g, '').slice(-50),
    xMailer: false,
    ...(files && { attachments: files.map(toAttachment) }),
  }).compile()
  const envelope = composed.getEnvelope()
  if (!files) return { raw: await composed.build(), envelope }
  // A server that accepts less can say so before it gets everything.
  const size = files.reduce((sum, file) => sum + encodedSize(file), 0)
  return { raw: composed.createReadStream(), envelope: { ...envelope, size } }
}

const toAttachment = ({ name, type, open }: MailFile) => ({
  filename: name,
  contentType: type,
  contentDisposition: 'attachment' as const,
  contentTransferEncoding: 'base64' as const,
  content: Readable.from(open()),
})

// In base64, a line of 76 characters holds 57 bytes.
const encodedSize = ({ size }: MailFile) => Math.ceil(size / 57) * 78

/** Sends emails over a pool of connections. `close` closes these once they are idle. */
export function createSmtpMailer(smtpUrl: string, tokens?: Tokens) {
  const open = (more: object = {}) => {
    const pool = openPool({ url: smtpUrl, ...poolOptions, ...timeouts, ...noFetching, ...more })
    return { pool, transport: createTransport(pool) }
  }
  const usual = open()
  // Each on a new connection: a server may have just ended an older one, and files can be read only
  // once.
  const forFiles = open({ maxMessages: 1 })
  return {
    /** Resolves to the server's reply. Rejects if the send fails or `signal` aborts. */
    async send(email: Message, signal: AbortSignal): Promise<string> {
      const { pool, transport } = email.files ? forFiles : usual
      const { response } = await withToken(smtpUrl, tokens, async (token) => {
        useToken(pool, token)
        return transport.sendMail({ ...(await compose(email)), signal })
      })
      return response
    },
    close() {
      for (const { transport } of [usual, forFiles]) transport.close()
    },
  }
}

/**
 * Requires STARTTLS if a password would go to another machine over a connection that starts without
 * TLS. Sets this after construction, because TLS options in the URL would override it.
 */
function openPool(options: SMTPPool.Options) {
  const pool = new SMTPPool(options)
  const { auth, secure, host = 'localhost' } = pool.options
  if (auth && !secure && !isThisMachine(host)) pool.options.requireTLS = true
  return pool
}

/** Lets new connections log in with this token. */
function useToken({ options }: SMTPPool, accessToken?: string) {
  if (accessToken) options.auth = { type: 'OAuth2', user: options.auth?.user, accessToken }
}

/**
 * Connects and logs in without sending. Rejects with the same errors as a send, or after 10 s of
 * silence.
 */
export async function tryLogin(smtpUrl: string, tokens?: Tokens): Promise<void> {
  const timeoutMs = 10 * SECOND_MS
  const short = { connectionTimeout: timeoutMs, greetingTimeout: timeoutMs, socketTimeout: timeoutMs }
  const pool = openPool({ url: smtpUrl, ...timeouts, ...short })
  await withToken(smtpUrl, tokens, (token) => {
    useToken(pool, token)
    return pool.verify()
  })
}

/**
 * Writes emails as .eml files. Rejects once another replica sends by SMTP, because a file is not a
 * delivery.
 */
export function createFileMailer(folder: string, isSmtpUsed: () => Promise<boolean>): Mailer {
  mkdirSync(folder, { recursive: true })
  return {
    async send(message: Message) {
      if (await isSmtpUsed()) throw new Error('SMTP_URL is not set here, but emails are sent by SMTP.')
      const name = emlName(message.messageId)
      await writeDurably(folder, name, (await compose(message)).raw)
      return `written to ${name}`
    },
    close() {},
  }
}
