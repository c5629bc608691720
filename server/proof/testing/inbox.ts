import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export type Inbox = Awaited<ReturnType<typeof openInbox>>
type Behaviour = Pick<
  SMTPServerOptions,
  | 'onConnect'
  | 'onMailFrom'
  | 'onRcptTo'
  | 'onData'
  | 'onAuth'
  | 'allowInsecureAuth'
  | 'disabledCommands'
  | 'secure'
>

/** A real SMTP server on a free port (or a given one) that keeps the bytes of every mail it takes. */
export async function openInbox({ port = 0, ...behaviour }: { port?: number } & Behaviour = {}) {
  const mails: Buffer[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    // Else it warns of its own certificate, where a test wants one that nobody trusts.
    logger: false,
    disableReverseLookup: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void buffer(stream).then((bytes) => {
        mails.push(bytes)
        done()
      }, done)
    },
    ...behaviour,
  })
  // A client that hangs up in the middle is an error of the connection, not of the test.
  smtp.on('error', () => {})
  const server = smtp.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address() as AddressInfo
  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    mails,
    read: (index: number) => PostalMime.parse(mails[index] ?? Buffer.alloc(0)),
    close: () => new Promise<void>((done) => smtp.close(done)),
  }
}

/** What the header for suspects says; undefined where an email is about no suspect. */
export const doubtsIn = ({ headers }: Email): string | undefined =>
  headers.find(({ key }) => key === 'x-lead-suspect')?.value

/** An SMTP error with a reply code of the test's choice. */
export const smtpError = (responseCode: number, message: string): Error =>
  Object.assign(new Error(message), { responseCode })
