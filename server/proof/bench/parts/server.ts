import { hasDovecot, startDovecot } from '../../testing/dovecot.ts'
import { memoryFolder } from '../../testing/memory-folder.ts'
import { median } from '../../testing/percentile.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { getMany, getResponse } from '../load.ts'
import { compare } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject, type Subject, startRow } from '../subject.ts'
import { crowd } from './crowd.ts'

// The p99 of a round of these differs by a quarter from that of the next.
const MAILBOX_ROUNDS = 15
const GETS = 10_000
const POSTS = 3_000
const MESSAGE_EVERY_MS = 100

/** Compares our server with programs that do the least possible work. */
export async function* measure(): AsyncIterable<Row> {
  yield* pages()
  yield* posts()
  yield* crowd()
  yield* silentMail()
  yield* mailbox()
  using dataDir = newDataDir()
  yield await startRow('start to ready', dataDir.path)
  yield* memory()
}

async function* pages(): AsyncIterable<Row> {
  await using ours = await openSubject()
  const response = await ours.measure((url) => getResponse(url))
  await using bare = await openBaseline('bare-http.ts', response)
  const load = { connections: 64, amount: GETS }
  const row = {
    figure: 'GET /, 64 connections',
    unit: '/s',
    baseline: 'bare node:http, the same headers and bytes',
    target: { atLeast: 0.6 },
  }
  const getOurs = () => ours.measure((url) => getMany(url, load))
  yield await compare(row, getOurs, () => getMany(bare.ready.url, load))
}

async function* posts(): AsyncIterable<Row> {
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts.ts', { dataDir: dataDir.path })
  await using ours = await openSubject()
  const row = {
    figure: 'durable POST, 64 connections',
    unit: '/s',
    baseline: 'bare better-sqlite3, two inserts and an fsync',
    target: { atLeast: 0.4 },
  }
  yield await compare(
    row,
    async () => (await ours.post({ connections: 64, amount: POSTS })).rate,
    async () => (await bare.ask({ amount: POSTS })).rate,
  )
}

/** The p99 of a POST with something that must not slow it down. */
const slowdown = (how: string, usual: string) => ({
  figure: `POST, p99, 8 connections, ${how}`,
  unit: 'ms',
  baseline: `ours, ${usual}`,
  target: { atMost: 1.1 },
})

async function* silentMail(): AsyncIterable<Row> {
  await using healthy = await openSubject()
  await using withSilentMail = await openSubject({ isMailSilent: true })
  const post = async (subject: Subject) => (await subject.post({ connections: 8, amount: 1_000 })).p99
  yield await compare(
    slowdown('mail server silent', 'mail server healthy'),
    () => post(withSilentMail),
    () => post(healthy),
  )
}

/**
 * Messages come into a mailbox in both measurements, so that delivering them costs both the same.
 * It isn't the same mailbox: the paused server would have to read what came in the measurement of
 * the other.
 */
async function* mailbox(): AsyncIterable<Row> {
  if (!hasDovecot()) return
  await using watched = await startDovecot(memoryFolder())
  await using unwatched = await startDovecot(memoryFolder())
  await using without = await openSubject()
  await using watching = await openSubject({ env: { IMAP_URL: watched.url } })
  let delivered = 0
  const post = async (subject: Subject, { deliver }: typeof watched) => {
    const delivering = setInterval(() => {
      deliver(`Subject: Re: Q-7K3M-9QXD\r\nMessage-ID: <${++delivered}@example.com>\r\n\r\nHello\r\n`)
    }, MESSAGE_EVERY_MS)
    const posting = subject.post({ connections: 8, amount: POSTS })
    const { p99 } = await posting.finally(() => clearInterval(delivering))
    return p99
  }
  yield await compare(
    { ...slowdown('10 messages/s in the mailbox', 'without IMAP_URL'), rounds: MAILBOX_ROUNDS },
    () => post(watching, watched),
    () => post(without, unwatched),
  )
}

async function* memory(): AsyncIterable<Row> {
  const seen: number[] = []
  for (let round = 0; round < 3; round++) {
    await using ours = await openSubject()
    await ours.post({ connections: 16, amount: 10_000 })
    seen.push(ours.residentMb())
  }
  yield {
    figure: 'memory after 10,000 POSTs (RSS)',
    unit: 'MB',
    ours: median(seen),
    target: { atMost: 220 },
    note: 'Measured with the memory settings of the Docker image. 60 MB of it are the Node.js binary.',
  }
}
