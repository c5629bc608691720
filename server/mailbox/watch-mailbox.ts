import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { type FetchMessageObject, ImapFlow } from 'imapflow'
import type { Context } from '../context.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { errorFacts } from '../error-facts.ts'
import { mayBelongToLead } from './find-lead.ts'
import { idsIn, MAX_BYTES, readMessage } from './read-message.ts'
import { createTakeIn, type Folder } from './take-in.ts'
import { readTrouble, writeTrouble } from './trouble.ts'

const MINUTE_MS = 60 * 1000
// Below the hour for which a replica may keep a job to itself: see `runAlone`.
const SHIFT_MS = 50 * MINUTE_MS
// Looks for itself this often, for servers that don't say when a message arrives.
const LOOK_EVERY_MS = MINUTE_MS
// How long to wait after a failure, such as a wrong password.
const RETRY_AFTER_MS = MINUTE_MS
const BATCH = 200
// If the mailbox was replaced, what came in these days is looked at again. Each message is stored only once.
const LOOK_BACK_MS = 7 * 24 * 60 * MINUTE_MS

/** Reading goes on after this message, in this incarnation of the folder (RFC 3501, 2.3.1.1). */
type Bookmark = { path: string; uidValidity: string; uid: number }
type Deps = Context & { imapUrl: string; onQueued: () => void; retryAfterMs?: number }

/**
 * Creates a job that reads what arrives in the mailbox, and in its folder of sent messages. It only reads, and changes nothing
 * there. Runs for up to 50 minutes; the caller starts it again. If it can't go on, it notes why, and returns.
 */
export function createMailboxWatch({ imapUrl, onQueued, retryAfterMs = RETRY_AFTER_MS, ...context }: Deps) {
  const { db, log, now, redact } = context
  const takeIn = createTakeIn({ ...context, onQueued })

  async function watch(stopping: AbortSignal): Promise<void> {
    const failed = new AbortController()
    const ending = AbortSignal.any([stopping, failed.signal, AbortSignal.timeout(SHIFT_MS)])
    const watchFolder = (folder: Folder) =>
      openFolder(folder, ending).catch(async (error: unknown) => {
        if (ending.aborted) return
        failed.abort()
        await noteTrouble(redact(reasonOf(error)))
        await sleep(retryAfterMs, undefined, { signal: stopping })
      })
    await Promise.all([watchFolder('inbox'), watchFolder('sent')])
  }

  async function openFolder(folder: Folder, ending: AbortSignal): Promise<void> {
    const client = createClient(imapUrl)
    const closed = once(client, 'close').then(() => Promise.reject(new Error('The connection was closed.')))
    closed.catch(() => {})
    client.on('error', () => {})
    const close = () => client.close()
    ending.addEventListener('abort', close)
    try {
      await client.connect()
      const path = await pathOf(client, folder)
      if (path === undefined) return
      await client.mailboxOpen(path, { readOnly: true })
      if (folder === 'inbox') await clearTrouble()
      for (;;) {
        const news = once(client, 'exists')
        news.catch(() => {})
        await readNew(client, folder, path, ending)
        await Promise.race([news, sleep(LOOK_EVERY_MS, undefined, { signal: ending }), closed])
      }
    } finally {
      ending.removeEventListener('abort', close)
      close()
    }
  }

  async function readNew(client: ImapFlow, folder: Folder, path: string, ending: AbortSignal) {
    let mark = await findBookmark(client, db, folder, path, now())
    const found = await client.search({ uid: `${mark.uid + 1}:*` }, { uid: true })
    // The range always includes the last message, even if it's an old one.
    const uids = (found || []).filter((uid) => uid > mark.uid)
    for (let first = 0; first < uids.length; first += BATCH) {
      const batch = uids.slice(first, first + BATCH)
      const heads = await client.fetchAll(
        batch.join(),
        { uid: true, envelope: true, headers: ['references', 'content-type'] },
        { uid: true },
      )
      for (const head of heads.filter(isWanted)) {
        ending.throwIfAborted()
        await readOne(client, head, folder)
      }
      mark = { ...mark, uid: batch.at(-1) ?? mark.uid }
      await writeNote(db, `mailbox_${folder}`, mark)
    }
  }

  async function readOne(client: ImapFlow, { uid }: FetchMessageObject, folder: Folder): Promise<void> {
    const query = { source: { maxLength: MAX_BYTES }, bodyStructure: true }
    const found = await client.fetchOne(String(uid), query, { uid: true })
    // Deleted in the meantime.
    if (!found || found.source === undefined) return
    const message = await readMessage(found.source, found.bodyStructure).catch((error: unknown) => {
      log.warn({ err: error, uid, folder }, 'a message in the mailbox cannot be read')
    })
    if (message) await takeIn(message, folder)
  }

  /** Logs and stores the trouble once, not at each try. */
  async function noteTrouble(reason: string): Promise<void> {
    const noted = await readTrouble(db)
    if (noted?.reason === reason) return
    log.warn({ reason }, 'IMAP_URL: the mailbox cannot be read')
    await writeTrouble(db, { since: noted?.since ?? now().toISOString(), reason })
  }

  async function clearTrouble(): Promise<void> {
    if (!(await readTrouble(db))) return
    log.info('IMAP_URL: the mailbox can be read again')
    await writeTrouble(db, null)
  }

  return watch
}

/** Connects for reading. A password goes to another machine only over TLS. */
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
  })
}

/** The folder's path; undefined if the mailbox has no folder of sent messages. */
export async function pathOf(client: ImapFlow, folder: Folder): Promise<string | undefined> {
  if (folder === 'inbox') return 'INBOX'
  return (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path
}

/** Where to go on reading. What was in the mailbox before it was first watched isn't read. */
async function findBookmark(
  client: ImapFlow,
  db: Database,
  folder: Folder,
  path: string,
  now: Date,
): Promise<Bookmark> {
  const { uidValidity, uidNext } = client.mailbox || { uidValidity: 0n, uidNext: 1 }
  const noted = await readNote<Bookmark>(db, `mailbox_${folder}`)
  if (noted?.path === path && noted.uidValidity === String(uidValidity)) return noted
  const since = new Date(now.getTime() - LOOK_BACK_MS)
  const recent = noted ? await client.search({ since }, { uid: true }) : []
  const uid = Math.min(uidNext, ...(recent || [])) - 1
  const mark = { path, uidValidity: String(uidValidity), uid }
  await writeNote(db, `mailbox_${folder}`, mark)
  return mark
}

/** Whether a message may be about a lead, judging by its headers. */
function isWanted({ envelope, headers }: FetchMessageObject): boolean {
  const text = headers?.toString() ?? ''
  if (/^content-type:\s*multipart\/report/im.test(text)) return true
  const answers = idsIn(`${text} ${envelope?.inReplyTo ?? ''}`)
  return mayBelongToLead({ answers, subject: envelope?.subject ?? '' })
}

/** What an IMAP server's refusal says. */
export function reasonOf(error: unknown): string {
  const { authenticationFailed, responseText, message } = Object(error)
  if (authenticationFailed) return `The mail server refused the login: ${responseText ?? message}`
  return String(responseText ?? errorFacts(error).message ?? error)
}
