import { setTimeout as sleep } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import { sizeInWords } from '#shared/inbox/files.ts'
import type { Context } from '../context.ts'
import type { Schema, StoredMessage } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { Problem } from '../errors/problem.ts'
import { withToken } from '../mail/oauth.ts'
import { FINDING_MS, MAX_FETCHED, MAX_FILE_BYTES, TURN_MS } from './limits.ts'
import { openReader, type Reader } from './open-reader.ts'
import type { FoundFile } from './read-worker.ts'
import { keysOf } from './stored-messages.ts'

const LOOK_MS = 100

/** The event of a message. */
export type MessageEvent = Pick<Selectable<Schema['lead_events']>, 'lead_id' | 'who' | 'key'> & {
  received: string
}
/** A file that is being fetched. `bytes` come as fast as they are taken. */
export type FetchedFile = FoundFile & { bytes: AsyncIterable<Uint8Array> }

/**
 * Creates a function that finds a file of a stored message in the mailbox again, and passes it on.
 * It has its own connection, and stores nothing. Rejects with a Problem that says why a file can't
 * be fetched.
 */
export function createFetchFile({ env, tokens, log, redact }: Context) {
  let running = 0

  async function fetchFile(
    event: MessageEvent,
    index: number,
    pass: (file: FetchedFile) => Promise<void>,
  ): Promise<void> {
    const { IMAP_URL: imapUrl } = env
    if (imapUrl === undefined)
      throw new Problem('not_found', `The mailbox is not connected to the inbox anymore. ${ELSEWHERE}`)
    await waitForTurn()
    try {
      await using reader = openReader(imapUrl)
      const timer = setTimeout(() => void reader[Symbol.asyncDispose](), FINDING_MS).unref()
      await withToken(imapUrl, tokens, (token) => reader.ask('connect', token))
      const file = await findFile(reader, event, index)
      clearTimeout(timer)
      await pass({ ...file, bytes: bytesFrom(reader) })
    } catch (error) {
      if (error instanceof Problem) throw error
      const reason = redact(errorFacts(error).message ?? String(error))
      log.warn({ reason }, 'a file in the mailbox could not be fetched')
      throw new Problem('mailbox_unavailable', `The mailbox cannot be reached right now. ${ELSEWHERE}`)
    } finally {
      running--
    }
  }

  async function waitForTurn(): Promise<void> {
    for (let waited = 0; running >= MAX_FETCHED; waited += LOOK_MS) {
      if (waited >= TURN_MS)
        throw new Problem('mailbox_unavailable', 'Other files are being fetched. Try again in a moment.')
      await sleep(LOOK_MS)
    }
    running++
  }

  return fetchFile
}

const ELSEWHERE = 'You may find the file in your email program.'

async function findFile(reader: Reader, event: MessageEvent, index: number): Promise<FoundFile> {
  const uid = await findMessage(reader, event)
  if (uid === undefined)
    throw new Problem('not_found', 'This email is no longer in the mailbox. It may have been deleted.')
  const file = await reader.ask('openFile', { uid, index })
  if (!file) throw new Problem('not_found', 'This file is no longer in the email.')
  if (file.size > MAX_FILE_BYTES) throw tooLarge(file.size)
  return file
}

/**
 * Opens the folder with the message. Whoever knows its ID could send another one, so the time when
 * it came, and what it says, must be the same, too.
 */
async function findMessage(reader: Reader, { lead_id, who, key, received }: MessageEvent) {
  const { messageId, receivedAt }: StoredMessage = JSON.parse(received)
  const places = await reader.ask('locate', { messageId, ...(receivedAt && { receivedAt }) })
  for (const { path, uid, internalDate } of places) {
    if (receivedAt !== undefined && internalDate !== receivedAt) continue
    await reader.ask('open', path)
    const read = await reader.ask('read', uid)
    if (read && keysOf(lead_id, read.message, who).includes(key ?? '')) return uid
  }
  return undefined
}

async function* bytesFrom(reader: Reader) {
  let left = MAX_FILE_BYTES
  for (;;) {
    const bytes = await reader.ask('nextBytes')
    if (!bytes) return
    left -= bytes.length
    if (left < 0) throw tooLarge(MAX_FILE_BYTES - left)
    yield bytes
  }
}

const tooLarge = (bytes: number) =>
  new Problem('too_large', `This file has ${sizeInWords(bytes)}. Open it in your mailbox.`)
