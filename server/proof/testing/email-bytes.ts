import { buffer } from 'node:stream/consumers'
import { compose, type Message } from '../../mail/mailer.ts'

/** All bytes of an email, as a mail server gets them. */
export async function emailBytes(message: Message): Promise<Buffer> {
  const { raw } = await compose(message)
  return Buffer.isBuffer(raw) ? raw : buffer(raw)
}
