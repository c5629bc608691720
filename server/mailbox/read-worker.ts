import { constants, setPriority } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'
import type { ImapFlow, MessageStructureObject, SearchObject } from 'imapflow'
import { errorFacts } from '../errors/error-facts.ts'
import { hasFewParts } from './bound-source.ts'
import type { Folders } from './imap.ts'
import { allFolders, createClient, find, foldersOf, reasonOf } from './imap.ts'
import { MAX_BYTES, MAX_COPIES, MAX_FILES, MAX_HEADER_BYTES, MAX_TEXTS } from './limits.ts'
import { fileAt, fileOf, filesIn, textsBeyond } from './list-of-parts.ts'
import { type Head, headOf, timeOf } from './read-head.ts'
import { type MailMessage, readMessage } from './read-message.ts'
import type { Conversation } from './repeated-lines.ts'
import { type Words, writtenIn } from './words.ts'

/**
 * A folder that has been opened. `validity` changes if the mailbox was replaced (RFC 3501,
 * 2.3.1.1).
 */
export type OpenedFolder = { path: string; validity: string; next: number }
/** A message that was read. Of one that is cut off, it is unknown how many parts it has. */
export type Read = { message: MailMessage; parts: 'few' | 'many' | 'unknown' }
/** What to locate: see there. */
type Located = { messageId: string; receivedAt?: string | undefined; orLike?: SearchObject | undefined }
/** What to find: messages after this one, or since this time. */
type Wanted = { after: number } | { since: Date }
/** The text of a message, and what was said before it. */
type Asked = { message: Pick<MailMessage, 'text' | 'isCut'>; conversation: Conversation }

// This thread does whatever costs time or memory for hostile messages: it talks to the IMAP server,
// and decodes headers and bodies. It can be ended at any moment: see `openReader`.
const { imapUrl } = workerData as { imapUrl: string }
let client: ImapFlow | undefined
let file: AsyncIterator<Buffer> | undefined
let hasToken = false

// Visitors don't wait for the mail of strangers. On Linux, this is about the calling thread alone;
// on other systems, it would slow down the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_LOW)

/** What the serving thread can ask for. */
const calls = {
  async connect(accessToken?: string): Promise<void> {
    client?.close()
    const tell = () => parentPort?.postMessage({ event: 'news' })
    client = createClient(imapUrl, accessToken).on('exists', tell).on('close', tell)
    hasToken = accessToken !== undefined
    await client.connect()
  },

  folders: (): Promise<Folders> => foldersOf(connected()),

  async open(path: string): Promise<OpenedFolder> {
    const { mailbox } = connected()
    const isOpen = mailbox && mailbox.path === path
    const { uidValidity, uidNext } = isOpen
      ? mailbox
      : await connected().mailboxOpen(path, { readOnly: true })
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
    const query = { uid: true, flags: true, internalDate: true, bodyParts: [headers] }
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
    // Some servers show an empty text, if the message was deleted a moment ago.
    if (!fetched?.source?.length) {
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

  /**
   * Names the files of a message, and adds what it says beyond what was read of it: Apple Mail puts
   * text behind photos. Asked for by itself: the list of parts may be unreadable, or end the
   * connection.
   */
  async parts({ uid, text }: { uid: number; text: string }) {
    const found = await fetchOne(uid, { bodyStructure: true, size: true })
    if (!found?.bodyStructure) return { names: [], hasMore: false, text, isCut: true }
    const names = filesIn(found.bodyStructure)
    const beyond = textsBeyond(found.bodyStructure, found.size ?? Infinity)
    const files = { names: names.slice(0, MAX_FILES), hasMore: names.length > MAX_FILES }
    return { ...files, ...(await withTexts(uid, text, beyond)) }
  },

  words: ({ message, conversation }: Asked): Words => writtenIn(message, conversation),

  /**
   * Finds messages with this ID in all folders; with `receivedAt`, up to the first folder with one
   * that came then. Anybody can send another message with the same ID. With `orLike`, also finds
   * messages like this, in all folders, and without `receivedAt` rejects if one can't be read.
   */
  async locate({ messageId, receivedAt, orLike }: Located) {
    const places: Awaited<ReturnType<typeof placesIn>> = []
    for (const folder of await allFolders(connected())) {
      places.push(...(await placesIn(folder, { messageId, receivedAt, orLike })))
      if (!orLike && places.some(({ internalDate }) => internalDate && internalDate === receivedAt)) break
    }
    return places
  },

  /** Begins to fetch a file of a message: see `fileAt`. Undefined if it has no such file. */
  async openFile({ uid, index, words }: { uid: number; index: number; words: string | undefined }) {
    const found = await fetchOne(uid, { bodyStructure: true })
    const part = found?.bodyStructure && fileAt(found.bodyStructure, index, words)
    if (part) file = bytesOf(uid, part)
    return part && fileOf(part)
  },

  /** The next bytes of that file. Undefined after the last ones. */
  async nextBytes(): Promise<Uint8Array | undefined> {
    const { value } = (await file?.next()) ?? {}
    // A copy, because what is posted is the whole buffer that they are in.
    return value && new Uint8Array(value)
  },
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

/**
 * Where a message lies in a folder. `use`: what the folder is for. `internalDate`: when the server
 * got the message. A folder that can't be read, such as one that was just removed, keeps no other
 * from being read.
 */
async function placesIn(
  { path, use }: { path: string; use: string | undefined },
  { messageId, receivedAt, orLike }: Located,
) {
  try {
    await calls.open(path)
    const hasId = { header: { 'Message-ID': messageId } }
    const uids = await find(connected(), orLike ? { or: [hasId, orLike] } : hasId)
    const query = { uid: true, internalDate: true }
    // Copies can only be sent later.
    const oldest = uids.slice(0, MAX_COPIES)
    const rows = oldest.length > 0 ? await connected().fetchAll(oldest.join(), query, { uid: true }) : []
    return rows.map((row) => ({ path, use, uid: row.uid, internalDate: timeOf(row).receivedAt }))
  } catch (error) {
    if (orLike && receivedAt === undefined) throw error
    connected()
    return []
  }
}

/** The decoded bytes of a file, fetched as they are asked for. */
async function* bytesOf(uid: number, { part = '1' }: MessageStructureObject) {
  const options = { uid: true, chunkSize: MAX_BYTES, decodeText: false }
  const { content } = await connected().download(String(uid), part, options)
  if (!content) throw new Error('The mail server does not show this file.')
  yield* content
}

/** What a message says, with these parts of it. `isCut`: it says more. */
async function withTexts(uid: number, text: string, parts: readonly MessageStructureObject[]) {
  const whole = { text, isCut: parts.length > MAX_TEXTS }
  let left = MAX_BYTES
  for (const { type, part = '1', size = 0 } of parts.slice(0, MAX_TEXTS)) {
    const bodyParts = [{ key: `${part}.MIME` }, { key: part, maxLength: left }]
    const found = type.startsWith('text/') && left > 0 ? await fetchOne(uid, { bodyParts }) : undefined
    const [head, body] = bodyParts.map(({ key }) => found?.bodyParts?.get(key.toLowerCase()))
    if (!head || !body) {
      whole.isCut = true
      continue
    }
    left -= size
    const read = await readMessage(Buffer.concat([head, body]))
    // Its beginning may have been read, up to somewhere within a letter.
    const begun = whole.text.lastIndexOf(read.text.slice(0, 100))
    const isBegun =
      begun >= 0 &&
      whole.text.length - begun <= read.text.length &&
      read.text.startsWith(whole.text.slice(begun, -4))
    const before = isBegun ? whole.text.slice(0, begun) : whole.text
    whole.text = `${before.trimEnd()}\n\n${read.text}`.trim()
    whole.isCut ||= read.isCut || left < 0
  }
  return whole
}

parentPort?.on('message', async ({ id, call, input }: { id: number; call: keyof Calls; input: never }) => {
  try {
    const result = await calls[call](input)
    parentPort?.postMessage({ id, result, isOpen: client?.usable })
  } catch (error) {
    // A refused login has the code that it has in errors from nodemailer.
    const code = Object(error).authenticationFailed ? 'EAUTH' : errorFacts(error).code
    // By then, the client has closed a connection that it gives up.
    await setImmediate()
    const failure = { message: reasonOf(error, hasToken), code }
    parentPort?.postMessage({ id, failure, isOpen: client?.usable })
  }
})
