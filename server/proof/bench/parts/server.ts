import { setTimeout as sleep } from 'node:timers/promises'
import { hasDovecot, startDovecot } from '../../testing/dovecot.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { memoryFolder } from '../../testing/memory-folder.ts'
import { median } from '../../testing/percentile.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { writeHostile } from '../hostile-mail.ts'
import { getMany, getResponse, postMany, visit } from '../load.ts'
import { alternate, ofRates } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject, type Subject, startRow } from '../subject.ts'
import { crowd } from './crowd.ts'

const ROUNDS = 5
// The p99 of a round of these differs by a quarter from that of the next.
const MAILBOX_ROUNDS = 15
const GETS = 10_000
const POSTS = 3_000
const MESSAGE_EVERY_MS = 100
const MAILBOX_POSTS = 3_000
const LOOK_EVERY_MS = 10
const LEADS_OF_A_DAY = 12_000
// The server closes a connection after many requests.
const [BATCHES, POSTS_OF_BATCH] = [3, 90]

/** Compares our server with programs that do the least possible work. */
export async function* measure(): AsyncIterable<Row> {
  yield* pages()
  yield* posts()
  yield* crowd()
  yield* silentMail()
  yield* mailbox()
  yield* busyDay()
  using dataDir = newDataDir()
  yield await startRow('start to ready', dataDir.path)
  yield* memory()
}

async function* pages(): AsyncIterable<Row> {
  await using ours = await openSubject()
  const response = await ours.measure((url) => getResponse(url))
  await using bare = await openBaseline('bare-http.ts', response)
  const load = { connections: 64, amount: GETS }
  const getOurs = () => ours.measure((url) => getMany(url, load))
  const rates = await alternate(ROUNDS, getOurs, () => getMany(bare.ready.url, load), ofRates)
  yield {
    figure: 'GET /, 64 connections',
    unit: '/s',
    ours: rates.ours.rate,
    baseline: { name: 'bare node:http, the same headers and bytes', value: rates.theirs.rate },
    target: { atLeast: 0.6 },
  }
}

async function* posts(): AsyncIterable<Row> {
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts.ts', { dataDir: dataDir.path })
  await using ours = await openSubject()
  const insert = (): Promise<{ rate: number }> => bare.ask({ amount: POSTS })

  const load = { connections: 64, amount: POSTS }
  const rates = await alternate(ROUNDS, () => ours.post(load), insert, ofRates)
  yield {
    figure: 'durable POST, 64 connections',
    unit: '/s',
    ours: rates.ours.rate,
    baseline: { name: 'bare better-sqlite3, two inserts and an fsync', value: rates.theirs.rate },
    target: { atLeast: 0.4 },
  }
}

async function* silentMail(): AsyncIterable<Row> {
  await using healthy = await openSubject()
  await using withSilentMail = await openSubject({ isMailSilent: true })
  const post = (subject: Subject) => subject.post({ connections: 8, amount: 1_000 })
  yield await slowdown(
    'mail server silent',
    'mail server healthy',
    () => post(withSilentMail),
    () => post(healthy),
  )
}

/**
 * Messages come into a mailbox in both measurements, so that delivering them costs both the same. It isn't the same mailbox:
 * the paused server would have to read what came in the measurement of the other.
 */
async function* mailbox(): AsyncIterable<Row> {
  if (!hasDovecot()) return
  await using watched = await startDovecot(memoryFolder())
  await using unwatched = await startDovecot(memoryFolder())
  await using without = await openSubject()
  await using watching = await openSubject({ env: { IMAP_URL: watched.url } })
  const answers = await watching.measure(() => noticeOf(watching))
  let delivered = 0
  const ordinary = () =>
    `Subject: Re: Q-7K3M-9QXD\r\nMessage-ID: <${++delivered}@example.com>\r\n\r\nHello\r\n`
  const kinds = { '': ordinary, 'hostile ': writeHostile('ada@example.com', answers) }
  for (const [kind, write] of Object.entries(kinds)) {
    const post = async (subject: Subject, to: typeof watched) => {
      const delivering = setInterval(() => to.deliver(write()), MESSAGE_EVERY_MS)
      return postAndLook(subject).finally(() => clearInterval(delivering))
    }
    const { ours, theirs } = await alternate(
      MAILBOX_ROUNDS,
      () => post(watching, watched),
      () => post(without, unwatched),
      (our, their) => our.p99 / their.p99,
    )
    const how = `10 ${kind}messages/s in the mailbox`
    yield slowdownOf(how, 'without IMAP_URL', ours, theirs)
    yield {
      figure: `/healthz, slowest during these, ${how}, more than without`,
      unit: 'ms',
      ours: Math.max(0, ours.slowestMs - theirs.slowestMs),
      target: { atMost: 50 },
    }
  }
}

/** Posts, and looks meanwhile how long `/healthz` takes: that shows how long the server does nothing else. */
const postAndLook = (subject: Subject) =>
  subject.measure(async (url) => {
    let isOver = false
    let slowestMs = 0
    const look = async () => {
      while (!isOver) {
        slowestMs = Math.max(slowestMs, await visit.get(`${url}/healthz`))
        await sleep(LOOK_EVERY_MS)
      }
    }
    const looking = look()
    const posted = await postMany(url, { connections: 8, amount: MAILBOX_POSTS }).finally(() => {
      isOver = true
    })
    subject.confirm(MAILBOX_POSTS)
    await looking
    return { ...posted, slowestMs }
  })

/** The Message-ID of an email that the server has sent about a lead. */
async function noticeOf(subject: Subject): Promise<string> {
  await subject.post({ connections: 1, amount: 1 })
  await subject.measure(() => waitUntil('a notice is sent', () => subject.emails.length > 0))
  return subject.emails[0]?.messageId ?? ''
}

/** Emails and requests after a day on which thousands of notices were sent, and are counted. */
async function* busyDay(): AsyncIterable<Row> {
  using filled = await fillDatabase(LEADS_OF_A_DAY)
  const env = { EMAILS_A_DAY: '1000000' }
  await using busy = await openSubject({ data: filled, env })
  await using fresh = await openSubject({ env })
  for (const what of ['emails', 'posts'] as const) {
    const rates = await alternate(
      ROUNDS,
      () => postAndSend(busy, what),
      () => postAndSend(fresh, what),
      ofRates,
    )
    yield {
      figure: `${what === 'posts' ? 'POST, 1 connection' : 'emails'}, after 12,000 leads of a day`,
      unit: '/s',
      ours: rates.ours.rate,
      baseline: { name: 'ours, empty database', value: rates.theirs.rate },
      target: { atLeast: 0.9 },
    }
  }
}

/** Posts requests one after the other, until all notices are sent. Returns the rate of one of the two. */
async function postAndSend(subject: Subject, what: 'emails' | 'posts') {
  const before = subject.emails.length
  const startedAt = performance.now()
  const posted: number[] = []
  for (let batch = 0; batch < BATCHES; batch++)
    posted.push((await subject.post({ connections: 1, amount: POSTS_OF_BATCH })).rate)
  const emails = BATCHES * POSTS_OF_BATCH
  await subject.measure(() =>
    waitUntil('all emails are sent', () => subject.emails.length - before >= emails, 120_000),
  )
  const sent = (emails * 1000) / (performance.now() - startedAt)
  return { rate: what === 'posts' ? median(posted) : sent }
}

type Posted = () => ReturnType<Subject['post']>

/** Compares the p99 of a POST with and without something that must not slow it down. */
async function slowdown(how: string, usual: string, postOurs: Posted, postTheirs: Posted): Promise<Row> {
  const { ours, theirs } = await alternate(ROUNDS, postOurs, postTheirs, (our, their) => our.p99 / their.p99)
  return slowdownOf(how, usual, ours, theirs)
}

const slowdownOf = (how: string, usual: string, ours: { p99: number }, theirs: { p99: number }): Row => ({
  figure: `POST, p99, 8 connections, ${how}`,
  unit: 'ms',
  ours: ours.p99,
  baseline: { name: `ours, ${usual}`, value: theirs.p99 },
  target: { atMost: 1.1 },
})

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
