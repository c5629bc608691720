import { constants, setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { FetchMessageObject, ImapFlow } from 'imapflow'
import { errorFacts } from '../error-facts.ts'
import { UNREADABLE } from '../mail/message-text.ts'
import { hasFewParts } from './bound-source.ts'
import { createClient, find, pathOf, reasonOf } from './imap.ts'
import { MAX_BYTES, MAX_FILES, MAX_HEADER_BYTES } from './limits.ts'
import { filesIn, hasTextBeyond } from './list-of-parts.ts'
import type { Conversation } from './quoted-parts.ts'
import { type Message, readMessage } from './read-message.ts'
import type { Folder } from './take-in.ts'
import { type Words, wordsOf } from './words.ts'

/**
 * What the headers of a message say. `message` has everything but its text; undefined if the headers can't be read.
 * `isReport`: it may say that an email could not be delivered. `date`: as its sender has written it.
 */
export type Head = { uid: number; message?: Message; isReport?: boolean; date?: string }
/** A folder that has been opened. `validity` changes if the mailbox was replaced (RFC 3501, 2.3.1.1). */
export type OpenedFolder = { path: string; validity: string; next: number }
/** A message that was read. Of one that is cut off, it is unknown how many parts it has. */
export type Read = { message: Message; parts: 'few' | 'many' | 'unknown' }
/** The files of a message, and whether it has text beyond what is read of it. */
export type Files = { names: string[]; hasTextBeyond: boolean }
/** What to find: messages after this one, or since this time. */
type Wanted = { after: number } | { since: Date }
/** The text of a message, and what was said before it. */
type Asked = { message: Pick<Message, 'text' | 'isCut'>; conversation: Conversation }

// This thread does whatever costs time or memory for hostile messages: it talks to the IMAP server,
// and decodes headers and bodies. It can be ended at any moment: see `openReader`.
const { imapUrl, folder } = workerData as { imapUrl: string; folder: Folder }
let client: ImapFlow | undefined

// Visitors don't wait for the mail of strangers. On Linux, this is about the calling thread alone; on
// other systems, it would slow down the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

/** What the serving thread can ask for. */
const calls = {
  /** Connects, and opens the folder. Undefined if there is none. */
  async open(): Promise<OpenedFolder | undefined> {
    client?.close()
    client = createClient(imapUrl)
    const opened = client
    opened.on('close', () => opened === client && parentPort?.postMessage({ event: 'closed' }))
    opened.on('exists', () => parentPort?.postMessage({ event: 'news' }))
    await opened.connect()
    const path = await pathOf(opened, folder)
    if (path === undefined) return undefined
    const { uidValidity, uidNext } = await opened.mailboxOpen(path, { readOnly: true })
    return { path, validity: String(uidValidity), next: uidNext }
  },

  async find(wanted: Wanted): Promise<number[]> {
    if ('since' in wanted) return find(connected(), wanted)
    // The range always includes the last message, even if it's an old one.
    const found = await find(connected(), { uid: `${wanted.after + 1}:*` })
    return found.filter((uid) => uid > wanted.after)
  },

  /** Reads headers. Leaves out messages that have been deleted. */
  async heads(uids: number[]): Promise<Head[]> {
    // Not the envelope, nor single headers: they have no limit.
    const headers = { key: 'HEADER', maxLength: MAX_HEADER_BYTES }
    const query = { uid: true, internalDate: true, bodyParts: [headers] }
    const rows = await connected().fetchAll(uids.join(), query, { uid: true })
    const heads = new Map<number, Head>()
    for (const row of rows.filter(({ uid }) => uids.includes(uid))) heads.set(row.uid, await headOf(row))
    const missing = uids.filter((uid) => !heads.get(uid)?.message)
    const left = missing.length > 0 ? await find(connected(), { uid: missing.join() }) : []
    for (const uid of missing) if (left.includes(uid)) heads.set(uid, { uid })
    return uids.flatMap((uid) => heads.get(uid) ?? [])
  },

  /** Reads a message, without its files. Undefined if it has been deleted. */
  async read(uid: number): Promise<Read | undefined> {
    const fetched = await fetchOne(uid, { source: { maxLength: MAX_BYTES }, internalDate: true })
    if (fetched?.source === undefined) {
      if ((await find(connected(), { uid: String(uid) })).length === 0) return undefined
      throw new Error('The mail server does not show this message.')
    }
    const { source } = fetched
    parentPort?.postMessage({ event: 'fetched' })
    const isWhole = source.length < MAX_BYTES
    const message = { ...(await readMessage(source)), ...timeOf(fetched) }
    if (!hasFewParts(source))
      return { message: { ...message, isCut: message.isCut || !isWhole }, parts: 'many' }
    return { message, parts: isWhole ? 'few' : 'unknown' }
  },

  /** What the list of a message's parts says. Asked for by itself: it may be unreadable, or end the connection. */
  async files(uid: number): Promise<Files> {
    const found = await fetchOne(uid, { bodyStructure: true, size: true })
    if (!found?.bodyStructure) return { names: [], hasTextBeyond: true }
    return {
      names: filesIn(found.bodyStructure).slice(0, MAX_FILES),
      hasTextBeyond: hasTextBeyond(found.bodyStructure, found.size ?? Infinity),
    }
  },

  words: ({ message, conversation }: Asked): Words => wordsOf(message, conversation),
}

/** The functions of this thread, as `openReader` calls them. */
export type Calls = typeof calls

function connected(): ImapFlow {
  if (!client?.usable) throw new Error('The connection was closed.')
  return client
}

async function fetchOne(uid: number, query: Parameters<ImapFlow['fetchOne']>[1]) {
  const found = await connected().fetchOne(String(uid), query, { uid: true })
  return found && found.uid === uid ? found : undefined
}

async function headOf(row: FetchMessageObject): Promise<Head> {
  const { uid, headers } = row
  if (!headers?.length) return { uid }
  const [, date = ''] = /^date:(.{1,60})/im.exec(headers.toString('latin1')) ?? []
  return {
    uid,
    message: {
      ...(await readMessage(headers)),
      ...timeOf(row),
      bodyHash: '',
      text: UNREADABLE,
    },
    isReport:
      /^(?:content-type:\s*multipart\/report|return-path:\s*<>|from:.*\b(?:mailer-daemon|postmaster)\b)/im.test(
        headers.toString('latin1'),
      ),
    date: date.trim(),
  }
}

/** When the mail server got the message, if it says so. */
function timeOf({ internalDate }: FetchMessageObject): Pick<Message, 'receivedAt'> {
  const time = Date.parse(String(internalDate))
  return Number.isNaN(time) ? {} : { receivedAt: new Date(time).toISOString() }
}

parentPort?.on('message', async ({ id, call, input }: { id: number; call: keyof Calls; input: never }) => {
  try {
    const result = await calls[call](input)
    parentPort?.postMessage({ id, result, isOpen: client?.usable })
  } catch (error) {
    const { authenticationFailed = false } = Object(error)
    const { code } = errorFacts(error)
    // By then, the client has closed a connection that it gives up.
    await setImmediate()
    const failure = { message: reasonOf(error), code, authenticationFailed }
    parentPort?.postMessage({ id, failure, isOpen: client?.usable })
  }
})
