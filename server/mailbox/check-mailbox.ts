import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { type Found, ok, problem, warning } from '../doctor/check.ts'
import { oneLine } from '../doctor/mail-server.ts'
import { errorFacts } from '../error-facts.ts'
import { createClient, pathOf, reasonOf } from './imap.ts'
import { adviceFor } from './mailbox-advice.ts'
import { readSetAside, type SetAside } from './set-aside.ts'

// The log names all of them.
const MAX_LISTED = 10

/** Logs in to the mailbox and looks for the folder of sent messages. Reads no message. */
export async function checkMailbox(imapUrl: string): Promise<Found> {
  const { host } = new URL(imapUrl)
  const client = createClient(imapUrl)
  try {
    await client.connect()
    if (await pathOf(client, 'sent')) return ok(`${host} shows the mailbox, and its folder of sent messages.`)
    return warning(
      `${host} has no folder of sent messages: what owners answer from an email program doesn't count as answered.`,
      'In the settings of that mailbox, turn on IMAP for the folder of sent messages.',
    )
  } catch (error) {
    const { code } = errorFacts(error)
    const reason = oneLine(reasonOf(error))
    return problem(`The mailbox at ${host} cannot be read. ${reason}`, adviceFor(`${code} ${reason}`))
  } finally {
    client.close()
  }
}

/** Reports messages that could not be read: they may be replies, and only the mailbox has them. */
export async function checkSetAside(db: Database): Promise<Found[]> {
  const inbox = await readSetAside(db, 'inbox')
  const sent = await readSetAside(db, 'sent')
  const messages = [...inbox, ...sent]
  if (messages.length === 0) return []
  const listed = messages.slice(-MAX_LISTED).map(describe)
  return [
    warning(
      `${count(messages.length, 'message')} in the mailbox could not be read: ${listed.join('; ')}.`,
      'Look for them in the mailbox with an email program, and answer from there.',
    ),
  ]
}

function describe({ uid, from, date, at, dueAt }: SetAside): string {
  const when = `${date ? `of ${oneLine(date)}` : `seen ${at}`}${dueAt ? ', will be tried again' : ''}`
  return `${from ? `from ${oneLine(from)}` : `number ${uid}`}, ${when}`
}
