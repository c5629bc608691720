import type { FetchMessageObject } from 'imapflow'
import { UNREADABLE } from '../leads/messages/message-text.ts'
import { type MailMessage, readMessage } from './read-message.ts'

/**
 * What the headers of a message say. `message` has everything but its text; undefined if the
 * headers can't be read. `isReport`: it may say that an email could not be delivered. `date`: as
 * its sender has written it.
 */
export type Head = {
  uid: number
  message?: MailMessage
  isReport?: boolean
  isDraft?: boolean
  date?: string
}

// Programs that report failures send from the empty address.
const REPORT =
  /^(?:content-type:\s*multipart\/report|return-path:\s*<>|from:.*\b(?:mailer-daemon|postmaster)\b)/im

/** Reads the headers of a message that was fetched with `headers`, `flags`, and `internalDate`. */
export async function headOf(row: FetchMessageObject): Promise<Head> {
  const { uid, headers, flags } = row
  if (!headers?.length) return { uid }
  const lines = headers.toString('latin1')
  const [, date = ''] = /^date:(.{1,60})/im.exec(lines) ?? []
  return {
    uid,
    message: { ...(await readMessage(headers)), ...timeOf(row), bodyHash: '', text: UNREADABLE },
    isReport: REPORT.test(lines),
    isDraft: flags?.has('\\Draft') ?? false,
    date: date.trim(),
  }
}

/** When the mail server got the message, if it says so. */
export function timeOf({ internalDate }: FetchMessageObject): Pick<MailMessage, 'receivedAt'> {
  const time = Date.parse(String(internalDate))
  return Number.isNaN(time) ? {} : { receivedAt: new Date(time).toISOString() }
}
