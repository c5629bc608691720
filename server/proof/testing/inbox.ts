import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Inbox = Awaited<ReturnType<typeof openInbox>>
/**
 * A real SMTP server that keeps the bytes of every email. By default, it uses a free port. Has
 * nothing to do with the inbox of the site.
 */
export async function openInbox({ port = 0, ...behavior }: { port?: number } & SMTPServerOptions = {}) {
  const emails: Buffer[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    // Without this, the server would warn about its self-signed certificate, which some tests use.
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void buffer(stream).then((bytes) => {
        emails.push(bytes)
        done()
      }, done)
    },
    ...behavior,
  })
  // A client that hangs up must not fail the test.
  smtp.on('error', () => {})
  const server = smtp.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    emails,
    read: (index: number) => PostalMime.parse(emails[index] ?? Buffer.alloc(0)),
    close: () => new Promise<void>((done) => smtp.close(done)),
  }
}

/** The header that explains why a lead is suspected spam; undefined for other emails. */
export const suspectReasonsIn = ({ headers }: Email): string | undefined =>
  headers.find(({ key }) => key === 'x-lead-suspect')?.value

/** An SMTP error with this reply code. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })
