import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fillDatabase } from '../../testing/fill-database.ts'
import { median } from '../../testing/percentile.ts'
import { hang, openReceiver, webhookSecret } from '../../testing/receiver.ts'
import { createRecordingClient } from '../../testing/recording-client.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { getMany, getResponse } from '../get-load.ts'
import { postMany } from '../post-load.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { startRow } from '../start-row.ts'
import { openSubject } from '../subject.ts'
import { crowd } from './crowd.ts'

const ROUNDS = 5
// From round to round, the ratio of two almost equal p99s varies between 0.6 and 1.4.
const ROUNDS_OF_EQUALS = 15
const GETS = 10_000
const POSTS = 3_000
const POSTS_ONE_BY_ONE = 500
const EMAILS = 10_000
// As many as the default rate limit allows one client.
const FRESH_LEADS = 5
const pagesDir = join(import.meta.dirname, '../../../../client/dist/pages')

/** Compares our server with programs that do the least possible work, and with common ways to do the same job. */
export async function* measure(): AsyncIterable<Row> {
  yield* pages()
  yield* posts()
  yield* crowd()
  yield* slowMail()
  yield* silentMail()
  yield* silentWebhook()
  yield* emails()
  yield* start()
  yield* memory()
}

async function* pages(): AsyncIterable<Row> {
  await using ours = await openSubject({})
  const response = await ours.measure((url) => getResponse(url))
  await using bare = await openBaseline('bare-http', response)
  await using express = await openBaseline('express-static', { folder: pagesDir })
  const load = { connections: 64, amount: GETS }
  const getOurs = () => ours.measure((url) => getMany(url, load))
  const getFrom = (url: string) => () => getMany(url, load)
  const rates = (our: { rate: number }, their: { rate: number }) => our.rate / their.rate

  const comparedWithBare = await alternate(ROUNDS, getOurs, getFrom(bare.ready.url), rates)
  yield {
    figure: 'GET /, 64 connections',
    unit: '/s',
    ours: comparedWithBare.ours.rate,
    baseline: { name: 'bare node:http, the same headers and bytes', value: comparedWithBare.theirs.rate },
    target: { atLeast: 0.6 },
  }
  const comparedWithExpress = await alternate(
    ROUNDS,
    getOurs,
    getFrom(`${express.ready.url}/home.html`),
    rates,
  )
  yield {
    figure: 'GET /, 64 connections',
    unit: '/s',
    ours: comparedWithExpress.ours.rate,
    baseline: { name: 'express.static with compression', value: comparedWithExpress.theirs.rate },
  }
}

async function* posts(): AsyncIterable<Row> {
  await using relay = await openRelay()
  using dataDir = newDataDir()
  await using bare = await openBaseline('bare-inserts', { dataDir: dataDir.path })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  const rates = (our: { rate: number }, their: { rate: number }) => our.rate / their.rate
  const insert = (): Promise<{ rate: number }> => bare.ask({ amount: POSTS })

  // Before the crowd, which leaves thousands of emails to send.
  const one = await alternate(
    ROUNDS,
    () => ours.post({ connections: 1, amount: POSTS_ONE_BY_ONE }),
    insert,
    rates,
  )
  const many = await alternate(ROUNDS, () => ours.post({ connections: 64, amount: POSTS }), insert, rates)
  const name = 'bare better-sqlite3, two inserts and an fsync'
  yield {
    figure: 'durable POST, 64 connections',
    unit: '/s',
    ours: many.ours.rate,
    baseline: { name, value: many.theirs.rate },
    target: { atLeast: 0.4 },
  }
  yield {
    figure: 'durable POST, 1 connection',
    unit: '/s',
    ours: one.ours.rate,
    baseline: { name, value: one.theirs.rate },
  }
  yield {
    figure: 'durable POST, 64 connections (compared with 1 connection)',
    unit: '/s',
    ours: many.ours.rate,
    baseline: { name: 'ours with 1 connection', value: one.ours.rate },
    note: 'Requests that arrive together share one commit and one fsync. A single connection pays for its own commit and waits for each round trip.',
  }
}

async function* slowMail(): AsyncIterable<Row> {
  await using relay = await openRelay()
  relay.misbehave('dot', async () => {
    await sleep(50)
    return relay.usual.dot
  })
  using dataDir = newDataDir()
  await using mailInside = await openBaseline('mail-inside', { dataDir: dataDir.path, smtpUrl: relay.url })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  const load = { connections: 8, amount: 400 }
  const { ours: our, theirs } = await alternate(
    ROUNDS,
    () => ours.post(load),
    () => postMany(mailInside.ready.url, load),
    (our, their) => our.p50 / their.p50,
  )
  const name = 'sending the email inside the request, with a mail server that takes 50 ms'
  yield {
    figure: 'POST, p50, 8 connections',
    unit: 'ms',
    ours: our.p50,
    baseline: { name, value: theirs.p50 },
  }
  yield {
    figure: 'POST, p99, 8 connections',
    unit: 'ms',
    ours: our.p99,
    baseline: { name, value: theirs.p99 },
  }
}

async function* silentMail(): AsyncIterable<Row> {
  await using relay = await openRelay()
  await using silent = await openRelay()
  silent.misbehave('connect', () => undefined)
  await using healthy = await openSubject({ SMTP_URL: relay.url })
  await using withSilentMail = await openSubject({ SMTP_URL: silent.url })
  const load = { connections: 8, amount: 1_000 }
  const { ours, theirs } = await alternate(
    ROUNDS,
    () => withSilentMail.post(load),
    () => healthy.post(load),
    (our, their) => our.p99 / their.p99,
  )
  yield {
    figure: 'POST, p99, 8 connections, mail server silent',
    unit: 'ms',
    ours: ours.p99,
    baseline: { name: 'ours, mail server healthy', value: theirs.p99 },
    target: { atMost: 1.1 },
  }
}

async function* silentWebhook(): AsyncIterable<Row> {
  await using relay = await openRelay()
  await using receiver = await openReceiver()
  await using silent = await openReceiver()
  silent.respondWith(hang)
  const open = (url: string) =>
    openSubject({ SMTP_URL: relay.url, LEAD_WEBHOOK_URL: url, LEAD_WEBHOOK_SECRET: webhookSecret })
  await using healthy = await open(receiver.url)
  await using withSilentWebhook = await open(silent.url)
  const load = { connections: 8, amount: 1_000 }
  const { ours, theirs } = await alternate(
    ROUNDS_OF_EQUALS,
    () => withSilentWebhook.post(load),
    () => healthy.post(load),
    (our, their) => our.p99 / their.p99,
  )
  yield {
    figure: 'POST, p99, 8 connections, lead webhook silent',
    unit: 'ms',
    ours: ours.p99,
    baseline: { name: 'ours, lead webhook healthy', value: theirs.p99 },
    target: { atMost: 1.1 },
  }
}

/** Sends a backlog, as after an outage, to a mail server that takes 100 ms to greet. */
async function* emails(): AsyncIterable<Row> {
  using filled = await fillDatabase(EMAILS, 'due')
  await using relay = await openRelay()
  relay.misbehave('connect', async () => {
    await sleep(100)
    return relay.usual.connect
  })
  const program = await startProgram({ SMTP_URL: relay.url, DATA_DIR: filled.path, EMAILS_A_DAY: '0' })
  const client = createRecordingClient()
  const fresh: number[] = []
  const startedAt = performance.now()
  while (relay.emails.length < EMAILS * 0.9) {
    if (fresh.length < FRESH_LEADS) {
      const { reference } = await client.post(program.url)
      const postedAt = performance.now()
      while (!relay.emails.some((mail) => mail.reference === reference)) await sleep(5)
      fresh.push(performance.now() - postedAt)
    }
    await sleep(1_000)
  }
  const seconds = (performance.now() - startedAt) / 1000
  await program.stop()
  yield {
    figure: `emails sent, ${EMAILS} waiting`,
    unit: '/s',
    ours: relay.emails.length / seconds,
    // So 10,000 emails leave in less than two minutes. Real mail servers are slower, and allow far fewer a day.
    target: { atLeast: 100 },
  }
  yield {
    figure: `longest time until a new lead's notice is sent, ${EMAILS} emails waiting`,
    unit: 'ms',
    ours: Math.max(...fresh),
    target: { atMost: 2_000 },
  }
}

async function* start(): AsyncIterable<Row> {
  using dataDir = newDataDir()
  yield await startRow('start to ready', dataDir.path)
}

async function* memory(): AsyncIterable<Row> {
  const seen: number[] = []
  for (let round = 0; round < 3; round++) {
    await using relay = await openRelay()
    await using ours = await openSubject({ SMTP_URL: relay.url })
    await ours.post({ connections: 8, amount: 10_000 })
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
