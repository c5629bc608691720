import { addAbortListener, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FetchMessageObject, ImapFlow, type MailboxObject, type SearchObject } from 'imapflow'
import { decodeWords } from 'postal-mime'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { errorFacts } from '../error-facts.ts'
import { mayBelongToLead } from './find-lead.ts'
import { openReader, type Reader } from './open-reader.ts'
import { idsIn, MAX_BYTES } from './read-message.ts'
import { createTakeIn, type Folder } from './take-in.ts'
import { readTrouble, writeTrouble } from './trouble.ts'

const MINUTE_MS = 60 * 1000
// Below the hour for which a replica may keep a job to itself: see `runAlone`.
const SHIFT_MS = 50 * MINUTE_MS
// Looks for itself this often, for servers that don't say when a message arrives.
const LOOK_EVERY_MS = MINUTE_MS
// Messages that arrive together are read together.
const GATHER_MS = 1_000
// How long to wait after a failure, such as a wrong password.
const RETRY_AFTER_MS = MINUTE_MS
const BATCH = 50
// The headers of ordinary messages are smaller. Of longer ones, the server reads only the beginning.
const MAX_HEADERS = 64_000
// About a thousand parts.
const MAX_TOKENS = 30_000
// If the mailbox was replaced, what came in these days is looked at again. Each message is stored only once.
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS

/** Reading goes on after this message. `of` names the account, the folder, and its incarnation (RFC 3501, 2.3.1.1). */
type Bookmark = { of: string; uid: number }
/** A folder that is being read. */
type Open = { client: ImapFlow; folder: Folder; reader: Reader }
type Deps = Context & { imapUrl: string; onQueued: () => void; gatherMs?: number; retryAfterMs?: number }

/**
 * Creates a job that reads what arrives in the mailbox, and in its folder of sent messages. It only reads, and changes nothing
 * there. Runs for up to 50 minutes; the caller starts it again. If it can't go on, it notes why, and returns.
 */
export function createMailboxWatch({ imapUrl, onQueued, ...deps }: Deps) {
  const { gatherMs = GATHER_MS, retryAfterMs = RETRY_AFTER_MS, ...context } = deps
  const { db, log, now, redact } = context
  const takeIn = createTakeIn({ ...context, onQueued })
  // Messages that could not be fetched, and those of them whose list of parts isn't asked for again.
  const failed = new Set<string>()
  const unlisted = new Set<string>()

  async function watch(stopping: AbortSignal): Promise<void> {
    // Not `AbortSignal.timeout`: nothing would keep its timer from being collected as garbage.
    const shift = new AbortController()
    const timer = setTimeout(() => shift.abort(), SHIFT_MS)
    const ending = AbortSignal.any([stopping, shift.signal])
    // Each by itself: if only one of them can be read, it is.
    const watchFolder = async (folder: Folder): Promise<void> => {
      while (!ending.aborted) {
        const known = unlisted.size
        try {
          return await openFolder(folder, ending)
        } catch (error) {
          // What one message has caused won't come again: see `unlisted`.
          if (ending.aborted || unlisted.size > known) continue
          await noteTrouble(folder, redact(reasonOf(error)))
          await sleep(retryAfterMs, undefined, { signal: ending }).catch(() => {})
        }
      }
    }
    try {
      await Promise.all([watchFolder('inbox'), watchFolder('sent')])
    } finally {
      clearTimeout(timer)
      // If one folder's trouble can't be noted, the other's watch ends, too.
      shift.abort()
    }
  }

  async function openFolder(folder: Folder, ending: AbortSignal): Promise<void> {
    const client = createClient(imapUrl)
    await using reader = openReader()
    using closing = new DisposableStack()
    closing.defer(() => client.close())
    closing.use(addAbortListener(ending, () => client.close()))
    const closed = once(client, 'close').then(() => Promise.reject(new Error('The connection was closed.')))
    closed.catch(() => {})
    await client.connect()
    const path = await pathOf(client, folder)
    if (path === undefined) return
    const open = { client, folder, reader }
    let mark = await findBookmark(open, await client.mailboxOpen(path, { readOnly: true }))
    await clearTrouble(folder)
    for (;;) {
      const looked = new AbortController()
      const { signal } = looked
      try {
        const news = once(client, 'exists', { signal }).catch(() => {})
        // If the connection is closed at the wrong moment, the client never answers.
        mark = await Promise.race([readNew(open, mark), closed])
        await Promise.race([news, closed, sleep(LOOK_EVERY_MS, undefined, { signal })])
      } finally {
        looked.abort()
      }
      await sleep(gatherMs, undefined, { signal: ending })
    }
  }

  /** Where to go on reading. What was in the mailbox before it was first watched isn't read. */
  async function findBookmark({ client, folder }: Open, mailbox: MailboxObject): Promise<Bookmark> {
    const { username, host } = new URL(imapUrl)
    // With the account, because some services, such as Gmail, use the same UIDVALIDITY for all of them.
    const of = `${username}@${host} ${mailbox.path} ${mailbox.uidValidity}`
    const noted = await readNote<Bookmark>(db, `mailbox_${folder}`)
    if (noted?.of === of) return noted
    const since = new Date(now().getTime() - LOOK_BACK_MS)
    const [first = mailbox.uidNext] = noted ? await find(client, { since }) : []
    const mark = { of, uid: first - 1 }
    await writeNote(db, `mailbox_${folder}`, mark)
    return mark
  }

  async function readNew(open: Open, start: Bookmark): Promise<Bookmark> {
    const { client, folder } = open
    let mark = start
    const found = await find(client, { uid: `${mark.uid + 1}:*` })
    // The range always includes the last message, even if it's an old one.
    const uids = found.filter((uid) => uid > mark.uid)
    for (let first = 0; first < uids.length; first += BATCH) {
      const batch = uids.slice(first, first + BATCH)
      // Not the envelope, nor single headers: they have no limit.
      const query = { uid: true, bodyParts: [{ key: 'HEADER', maxLength: MAX_HEADERS }] }
      const heads = await client.fetchAll(batch.join(), query, { uid: true })
      for (const head of heads.filter(isWanted)) await readOne(open, head.uid)
      mark = { ...mark, uid: batch.at(-1) ?? mark.uid }
      await writeNote(db, `mailbox_${folder}`, mark)
    }
    return mark
  }

  async function readOne({ client, folder, reader }: Open, uid: number): Promise<void> {
    const key = `${folder} ${uid}`
    const query = { source: { maxLength: MAX_BYTES }, bodyStructure: !unlisted.has(key) }
    const found = await client.fetchOne(String(uid), query, { uid: true }).catch((error: unknown) => {
      // The list is too long, or it ends the connection each time. Once, the connection may have been lost by chance.
      if (Object(error).code === 'TooManyTokens' || failed.has(key)) unlisted.add(key)
      failed.add(key)
      throw error
    })
    // Deleted in the meantime.
    if (!found || found.source === undefined) return
    const message = await reader.read(found.source, found.bodyStructure).catch((error: unknown) => {
      log.warn({ err: error, uid, folder }, 'a message in the mailbox cannot be read')
    })
    if (message) await takeIn(message, folder)
  }

  /** Notes and logs the trouble once, not at each try. */
  async function noteTrouble(folder: Folder, reason: string): Promise<void> {
    if (await readTrouble(db)) return
    log.warn({ folder, reason }, 'IMAP_URL: the mailbox cannot be read')
    await writeTrouble(db, { folder, since: now().toISOString() })
  }

  async function clearTrouble(folder: Folder): Promise<void> {
    if ((await readTrouble(db))?.folder !== folder) return
    log.info({ folder }, 'IMAP_URL: the mailbox can be read again')
    await writeTrouble(db, null)
  }

  return watch
}

/**
 * A connection for reading. A password goes to another machine only over TLS. What fails is reported by the call that fails.
 */
export function createClient(imapUrl: string): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(imapUrl)
  const secure = protocol === 'imaps:'
  const isLocal = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname)
  return new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    ...(!secure && !isLocal && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: MINUTE_MS / 2,
    greetingTimeout: MINUTE_MS / 2,
    socketTimeout: 2 * MINUTE_MS,
    autoIdleDelay: 500,
    maxLiteralSize: 2 * MAX_BYTES,
    maxResponseTokens: MAX_TOKENS,
  }).on('error', () => {})
}

/** The folder's path; undefined if the mailbox has no folder of sent messages. */
export async function pathOf(client: ImapFlow, folder: Folder): Promise<string | undefined> {
  if (folder === 'inbox') return 'INBOX'
  return (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path
}

async function find(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  if (!found) throw new Error('The mail server cannot search the mailbox.')
  return found
}

/** Whether a message may be about a lead, judging by its headers. */
function isWanted({ headers }: FetchMessageObject): boolean {
  const text = headers?.toString().replace(/\r?\n[ \t]/g, ' ') ?? ''
  if (/^content-type:\s*multipart\/report/im.test(text)) return true
  const [, subject = ''] = /^subject:(.*)/im.exec(text) ?? []
  const answers = (text.match(/^(?:in-reply-to|references):.*/gim) ?? []).flatMap(idsIn)
  return mayBelongToLead({ answers, subject: decodeWords(subject) })
}

/** What an IMAP server's refusal says. */
export function reasonOf(error: unknown): string {
  const { authenticationFailed, responseText, message } = Object(error)
  if (authenticationFailed) return `The mail server refused the login: ${responseText ?? message}`
  return String(responseText ?? errorFacts(error).message ?? error)
}
