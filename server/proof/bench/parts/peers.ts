import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { openRelay } from '../../testing/relay.ts'
import { launchProgram, memorySettings, newDataDir, nodeSettings } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { getMany } from '../get-load.ts'
import { installPeers } from '../peers/install-peers.ts'
import { buildNextSite, openNextSite } from '../peers/next-site.ts'
import { type PostLoad, postMany } from '../post-load.ts'
import { alternate, measureRounds, middleRound } from '../rounds.ts'
import type { Row } from '../row.ts'
import { memoryOf, openSubject } from '../subject.ts'

const ROUNDS = 5
const STARTS = 5
const CROWD: PostLoad = { connections: 64, amount: 2_000 }
const ALONE: PostLoad = { connections: 1, amount: 300 }
const pagesDir = join(import.meta.dirname, '../../../../client/dist/pages')
// The peers (sites like ours, built with common frameworks) run with the same settings as ours, but may need a larger heap.
const env = { ...nodeSettings, NODE_ENV: 'production', ...memorySettings, NODE_OPTIONS: '' }

type Settings = { dataDir: string; pages: string; smtpUrl: string }
type Running = { ready: { url: string }; pid: number } & AsyncDisposable
/** Limits for the ratio of our figures to the peer's. */
type Limits = { rate: number; p99: number; rateAlone: number; memory: number; gets: number; start: number }
type Peer = {
  name: string
  /** Whether it sends emails. If it doesn't, ours stay queued, so that both sides only store the leads. */
  sendsEmails: boolean
  limits: Limits
  open: (settings: Settings) => Promise<Running>
}

const peers: Peer[] = [
  {
    name: 'Express, better-sqlite3, nodemailer',
    sendsEmails: true,
    limits: { rate: 1, p99: 2, rateAlone: 0.4, memory: 0.8, gets: 2, start: 3 },
    open: (settings) => openBaseline('mail-inside', settings, env),
  },
  {
    name: 'Fastify, better-sqlite3',
    sendsEmails: false,
    limits: { rate: 1.1, p99: 2, rateAlone: 0.6, memory: 2.2, gets: 1, start: 2.5 },
    open: (settings) => openBaseline('../peers/fastify-site.js', settings, env),
  },
  {
    name: 'Next.js, better-sqlite3',
    sendsEmails: false,
    limits: { rate: 1, p99: 1.5, rateAlone: 0.7, memory: 0.5, gets: 4, start: 1.5 },
    open: ({ dataDir }) => openNextSite(dataDir, env),
  },
]

/** Compares the program with sites built on common frameworks, each with its usual production settings. */
export async function* measure(): AsyncIterable<Row> {
  if (!installPeers()) {
    process.stderr.write(
      'The peers cannot be installed (npm and its registry are needed): their rows are SKIPPED.\n',
    )
    return
  }
  using pages = compressedPages()
  buildNextSite(pages.path)
  for (const peer of peers) {
    yield* requests(peer, pages.path)
    yield* starts(peer, pages.path)
  }
}

/** Creates a folder with our home page and compressed versions of it, for servers that use them. */
function compressedPages() {
  const folder = newDataDir()
  const home = join(folder.path, 'home.html')
  cpSync(join(pagesDir, 'home.html'), home)
  writeFileSync(`${home}.br`, brotliCompressSync(readFileSync(home)))
  writeFileSync(`${home}.gz`, gzipSync(readFileSync(home)))
  return folder
}

const faster = (our: { rate: number }, their: { rate: number }) => our.rate / their.rate

async function* requests({ name, sendsEmails, limits, open }: Peer, pages: string): AsyncIterable<Row> {
  await using relay = await openRelay()
  if (!sendsEmails) relay.misbehave('connect', () => undefined)
  using dataDir = newDataDir()
  await using theirs = await open({ dataDir: dataDir.path, pages, smtpUrl: relay.url })
  await using ours = await openSubject({ SMTP_URL: relay.url })
  const { url } = theirs.ready

  // Before the crowd, which leaves us thousands of emails to send.
  const alone = await alternate(
    ROUNDS,
    () => ours.post(ALONE),
    () => postMany(url, ALONE),
    faster,
  )
  yield {
    figure: 'durable POST, 1 connection',
    unit: '/s',
    ours: alone.ours.rate,
    baseline: { name, value: alone.theirs.rate },
    target: { atLeast: limits.rateAlone },
  }
  const crowd = await measureRounds(
    ROUNDS,
    () => ours.post(CROWD),
    () => postMany(url, CROWD),
  )
  const rate = middleRound(crowd, faster)
  yield {
    figure: 'durable POST, 64 connections',
    unit: '/s',
    ours: rate.ours.rate,
    baseline: { name, value: rate.theirs.rate },
    target: { atLeast: limits.rate },
  }
  const slowest = middleRound(crowd, (our, their) => our.p99 / their.p99)
  yield {
    figure: 'p99 of POST, 64 connections',
    unit: 'ms',
    ours: slowest.ours.p99,
    baseline: { name, value: slowest.theirs.p99 },
    target: { atMost: limits.p99 },
  }
  yield {
    figure: 'memory after these POSTs (RSS)',
    unit: 'MB',
    ours: ours.residentMb(),
    baseline: { name, value: memoryOf(theirs.pid, 'VmRSS') },
    target: { atMost: limits.memory },
  }
  const gets = await alternate(
    ROUNDS,
    () => ours.measure((ourUrl) => getMany(ourUrl, { connections: 64, amount: 10_000 })),
    () => getMany(`${url}/home.html`, { connections: 64, amount: 2_000 }),
    faster,
  )
  yield {
    figure: 'GET /, 64 connections',
    unit: '/s',
    ours: gets.ours.rate,
    baseline: { name, value: gets.theirs.rate },
    target: { atLeast: limits.gets },
  }
}

async function* starts({ name, limits, open }: Peer, pages: string): AsyncIterable<Row> {
  using ourDir = newDataDir()
  using theirDir = newDataDir()
  const { ours, theirs } = await alternate(
    STARTS,
    () => timeStart(() => openOurs(ourDir.path), ''),
    () =>
      timeStart(() => open({ dataDir: theirDir.path, pages, smtpUrl: 'smtp://127.0.0.1:9' }), 'home.html'),
    (our, their) => our.ms / their.ms,
  )
  yield {
    figure: 'start to first page',
    unit: 'ms',
    ours: ours.ms,
    baseline: { name, value: theirs.ms },
    target: { atMost: limits.start },
  }
}

async function openOurs(dataDir: string): Promise<Running> {
  const program = launchProgram({ DATA_DIR: dataDir, ...memorySettings })
  const ready = { url: `http://localhost:${await program.ready}` }
  return { ready, pid: program.pid, [Symbol.asyncDispose]: async () => void (await program.stop()) }
}

async function timeStart(open: () => Promise<Running>, page: string) {
  const startedAt = performance.now()
  await using program = await open()
  const response = await fetch(`${program.ready.url}/${page}`)
  await response.text()
  if (!response.ok) throw new Error(`The response to the first request is ${response.status}.`)
  return { ms: performance.now() - startedAt }
}
