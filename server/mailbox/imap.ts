import { domainToASCII } from 'node:url'
import { ImapFlow, type SearchObject } from 'imapflow'
import { specialUse } from 'imapflow/lib/special-use.js'
import type { ArrivedIn } from '../database/schema.ts'
import { messageOf } from '../errors/error-facts.ts'
import { isThisMachine } from '../mail/this-machine.ts'
import { MAX_BYTES, MAX_FOLDERS, MAX_REPLY_BYTES, MAX_TOKENS } from './limits.ts'

const SECOND_MS = 1_000

/**
 * What is in the folder that a message was found in. Only what is in `sent` was surely written by
 * an owner: a sender can be forged. `moved`: spam, or what owners have archived, so only what
 * answers one of our emails belongs to a lead.
 */
export type Folder = 'inbox' | 'sent' | 'moved'

/** The paths of folders. A folder of all messages is only in `moved`: it has what was sent, too. */
export type Folders = Record<Folder | ArrivedIn, string[]>

/**
 * A connection for reading. A password goes to another machine only over TLS. What fails is
 * reported by the call that fails.
 */
export function createClient(imapUrl: string, accessToken?: string): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(imapUrl)
  const secure = protocol === 'imaps:'
  return new ImapFlow({
    // In this scheme, `URL` leaves letters such as ü percent-encoded.
    host: (domainToASCII(decodeURIComponent(hostname)) || hostname).replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    ...(!secure && !isThisMachine(hostname) && { doSTARTTLS: true }),
    auth: {
      user: decodeURIComponent(username),
      ...(accessToken === undefined ? { pass: decodeURIComponent(password) } : { accessToken }),
    },
    logger: false,
    connectionTimeout: 30 * SECOND_MS,
    greetingTimeout: 30 * SECOND_MS,
    socketTimeout: 120 * SECOND_MS,
    autoIdleDelay: 100,
    maxLiteralSize: 2 * MAX_BYTES,
    maxResponseSize: MAX_REPLY_BYTES,
    maxResponseTokens: MAX_TOKENS,
  }).on('error', () => {})
}

/**
 * The paths of the folders that are read, by what is in them. First comes the one that the mail
 * server uses itself; an email program may use others, which it has named in its own language.
 */
export async function foldersOf(client: ImapFlow): Promise<Folders> {
  const all = await allFolders(client)
  const pathsOf = (wanted: string) => all.filter(({ use }) => use === wanted).map(({ path }) => path)
  const archives = pathsOf('\\Archive')
  // Thunderbird archives into a folder for each year, below that one.
  const years = all
    .filter(({ parentPath }) => archives.includes(parentPath))
    .map(({ path }) => path)
    .toSorted()
    .toReversed()
  const archive = [...archives, ...years]
  const junk = pathsOf('\\Junk')
  // Gmail archives into a folder of all messages, also if some program has made an `Archive`.
  const moved = [...junk, ...pathsOf('\\All'), ...archive]
  return {
    inbox: ['INBOX'],
    sent: pathsOf('\\Sent').slice(0, MAX_FOLDERS),
    moved: moved.slice(0, MAX_FOLDERS),
    junk,
    archive,
  }
}

/**
 * All folders: first the inbox, and those that are for something. `use`: for what, such as
 * `\Junk`.
 */
export async function allFolders(client: ImapFlow) {
  const listed = await client.list()
  return listed
    .filter(({ flags }) => !flags.has('\\Noselect') && !flags.has('\\NonExistent'))
    .map((folder) => ({
      path: folder.path,
      parentPath: folder.parentPath,
      use: folder.specialUse ?? specialUse(true, folder).flag ?? undefined,
    }))
}

/** The UIDs of the messages that match. */
export async function find(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  if (!found) throw new Error('The mail server cannot search the mailbox.')
  return found
}

/** What an IMAP server's refusal says. `hasToken`: it was not the password that was refused. */
export function reasonOf(error: unknown, hasToken = false): string {
  const { authenticationFailed, responseText } = Object(error)
  const words = String(responseText ?? messageOf(error))
  if (authenticationFailed)
    return `The mail server refused the ${hasToken ? 'access token' : 'login'}: ${words}`
  return words
}
