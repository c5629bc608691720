import type { ImapFlow } from 'imapflow'
import { count } from '#shared/count.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { explainReply, oneLine } from '../mail/mail-advice.ts'
import { needsToken, type Tokens, withToken } from '../mail/oauth.ts'
import { userOf } from '../mailbox/addresses.ts'
import { createClient, foldersOf, reasonOf } from '../mailbox/imap.ts'
import { NAMED_FOR_MS } from '../mailbox/limits.ts'
import { hasTriesLeft, readAllSetAside } from '../mailbox/set-aside.ts'
import { type Found, ok, problem, warning } from './check.ts'

// The log names all of them.
const MAX_LISTED = 10

/** Logs in to the mailbox, and opens the folders that are read. Reads no message. */
export async function checkMailbox(imapUrl: string, tokens?: Tokens, mailFrom = ''): Promise<Found[]> {
  const { host } = new URL(imapUrl)
  let client: ImapFlow | undefined
  try {
    client = await withToken(imapUrl, tokens, async (token) => {
      const opened = createClient(imapUrl, token)
      await opened.connect()
      return opened
    })
    const { inbox, sent, moved } = await foldersOf(client)
    for (const path of inbox) await client.mailboxOpen(path, { readOnly: true })
    // MAIL_FROM may be an alias, which is fine, or the address of a mailbox that nobody reads.
    const isOther = mailFrom !== '' && mailFrom.toLowerCase() !== userOf(imapUrl)
    const whereTo = isOther ? ` Visitors reply to ${mailFrom}, which must deliver into it.` : ''
    const shown = `${host} shows the mailbox.${whereTo} Folders that are read: ${inLine([...inbox, ...moved])}`
    const found =
      sent.length > 0
        ? ok(`${shown}; of sent messages: ${inLine(sent)}. What is in other folders is not read.`)
        : warning(
            `${shown}. There is no folder of sent messages: what owners answer from an email program doesn't count as answered.`,
            'In the settings of that mailbox, turn on IMAP for the folder of sent messages.',
          )
    return [found, ...(await checkFolders(client, [...moved, ...sent]))]
  } catch (error) {
    const { code } = errorFacts(error)
    const reason = oneLine(reasonOf(error, tokens && needsToken(imapUrl)))
    const { advice } = explainReply(`${code} ${reason}`, 'IMAP_URL')
    return [problem(`The mailbox at ${host} cannot be read. ${reason}`, advice)]
  } finally {
    client?.close()
  }
}

async function checkFolders(client: ImapFlow, paths: readonly string[]): Promise<Found[]> {
  const found: Found[] = []
  for (const path of paths)
    try {
      await client.mailboxOpen(path, { readOnly: true })
    } catch (error) {
      const reason = oneLine(reasonOf(error))
      found.push(
        warning(
          `The folder ${oneLine(path)} cannot be read. ${reason}`,
          'Let the user of IMAP_URL read that folder.',
        ),
      )
    }
  return found
}

const inLine = (paths: readonly string[]) => paths.map((path) => oneLine(path)).join(', ')

/** Reports messages that could not be read: they may be replies, and only the mailbox has them. */
export async function checkSetAside(db: Database, now: Date): Promise<Found[]> {
  const messages = await readAllSetAside(db, new Date(now.getTime() - NAMED_FOR_MS))
  if (messages.length === 0) return []
  const listed = messages.slice(-MAX_LISTED).map(describe)
  return [
    warning(
      `${count(messages.length, 'message')} in the mailbox could not be read: ${listed.join('; ')}.`,
      'Look for them in the mailbox with an email program, and answer from there.',
    ),
  ]
}

function describe(message: Awaited<ReturnType<typeof readAllSetAside>>[number]): string {
  const { folder, uid, date, at } = message
  // Notes about a folder besides the main one have its path.
  const path = oneLine(folder.replace(/^\w+ /, ''))
  const when = date ? `of ${oneLine(date)}` : `tried ${at}`
  return `number ${uid} in ${path}, ${when}${hasTriesLeft(message) ? ', will be tried again' : ''}`
}
