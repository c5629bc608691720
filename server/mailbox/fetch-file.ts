import { sizeInWords } from '#shared/files-in-words.ts'
import { DAY_MS } from '#shared/time/time-zone.ts'
import type { Context } from '../context.ts'
import type { StoredMessage } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { Problem } from '../errors/problem.ts'
import { createTurns } from '../http/turns.ts'
import { FINDING_MS, MAX_FETCHED, MAX_FILE_BYTES } from './limits.ts'
import { keysOf, NO_MESSAGE_ID } from './message-ids.ts'
import { openReader, type Reader } from './open-reader.ts'

const ELSEWHERE = 'You may find the file in your email program.'

/** A row of `lead_events` about a message. */
type MessageEvent = { lead_id: string; who: string; key: string | null; received: string | null }
/** `bytes` come as fast as they are taken. */
type FetchedFile = { name: string; bytes: AsyncIterable<Uint8Array> }

/**
 * Creates a function that finds a file of a stored message in the mailbox again, and passes it on.
 * It has its own connection, and stores nothing. Rejects with a Problem that says why a file can't
 * be fetched.
 */
export function createFetchFile({ env, tokens, log }: Context) {
  const inTurn = createTurns(MAX_FETCHED)

  return async function fetchFile(
    event: MessageEvent,
    index: number,
    pass: (file: FetchedFile) => Promise<void>,
  ): Promise<void> {
    const { IMAP_URL: imapUrl } = env
    if (!imapUrl) throw new Problem('not_found', `The inbox no longer has a mailbox. ${ELSEWHERE}`)
    await inTurn(async () => {
      try {
        const finding = new AbortController()
        const timer = setTimeout(() => finding.abort(), FINDING_MS).unref()
        await using reader = openReader(imapUrl, tokens, finding.signal)
        await reader.connect()
        const name = await findFile(reader, event, index)
        clearTimeout(timer)
        await pass({ name, bytes: bytesFrom(reader) })
      } catch (error) {
        if (error instanceof Problem) throw error
        const { message: reason } = errorFacts(error)
        log.warn({ reason }, 'a file in the mailbox could not be fetched')
        throw new Problem('mailbox_unavailable', `The mailbox cannot be reached right now. ${ELSEWHERE}`)
      }
    })
  }
}

/**
 * Opens a file of a message. Whoever knows the ID of that could send another message, so the time
 * when it came, and what it says, must be the same, too. Returns the name of the file.
 */
async function findFile(reader: Reader, { lead_id, who, key, received }: MessageEvent, index: number) {
  const { messageId, receivedAt, attachments }: StoredMessage = JSON.parse(String(received))
  const [since, before] = [-1, 2].map((days) => new Date(Date.parse(receivedAt ?? '') + days * DAY_MS))
  // As scanners send it.
  const isWithout = receivedAt && messageId.endsWith(NO_MESSAGE_ID)
  const places = await reader.ask('locate', {
    messageId,
    receivedAt,
    orLike: isWithout ? { from: who, since, before } : undefined,
  })
  for (const { path, uid, internalDate } of places) {
    if (receivedAt && internalDate !== receivedAt) continue
    await reader.ask('open', path)
    const read = await reader.ask('read', uid)
    if (!read || !keysOf(lead_id, read.message, who).includes(key ?? '')) continue
    const file = await reader.ask('openFile', { uid, index, words: attachments?.[index] })
    if (!file) throw new Problem('not_found', 'This file is no longer in the email.')
    if (file.size > MAX_FILE_BYTES) throw tooLarge(file.size)
    return file.name
  }
  throw new Problem('not_found', 'This email is no longer in the mailbox. It may have been deleted.')
}

async function* bytesFrom(reader: Reader) {
  let sent = 0
  for (;;) {
    const bytes = await reader.ask('nextBytes')
    if (!bytes) return
    sent += bytes.length
    if (sent > MAX_FILE_BYTES) throw tooLarge(sent)
    yield bytes
  }
}

const tooLarge = (bytes: number) =>
  new Problem('too_large', `This file has ${sizeInWords(bytes)}. Open it in your mailbox.`)
