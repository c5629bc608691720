import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { apiPath } from '#shared/inbox/api.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { fillPostgres } from '../../testing/fill-postgres.ts'
import { percentile } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { findPostgres, startPostgres } from '../../testing/start-postgres.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { OWNER, signIn } from '../sign-in.ts'
import { openSubject, type Subject } from '../subject.ts'

const ROUNDS = 5
const READS = 400
const SQLITE_LEADS = 1_000_000
const MAX_INDEXING_MS = 30 * 60 * 1000
// Fewer leads than in SQLite, because filling PostgreSQL takes longer.
const POSTGRES_LEADS = 100_000
const POSTS = { connections: 8, amount: 1_000 }

const views = ['open', 'waiting', 'suspects', 'answered', 'won', 'lost', 'spam', 'all']
const searches = [
  // Full and partial names.
  ...[
    'lindberg',
    'anna',
    'anna lindberg',
    'berg',
    'strö',
    'José',
    'holman roofing',
    'dwayne eastfield bakery',
  ],
  // Full and partial phone numbers, email addresses, domains and references.
  ...['555-01', '5550199', '(312) 555-0123', '555', 'anna.lindberg', 'bakery.example', 'Q-0042-4242', '0042'],
  // Common words, two-letter words, and words that match nothing.
  ...['website', 'we need', 'the', 'call me', 'an', 'be', 'we', 'xylophone', 'qqqq', 'lindberg xylophone'],
]

/** Measures how long an owner waits for lists and searches, and how much these slow down visitors' requests. */
export async function* measure(): AsyncIterable<Row> {
  await using relay = await openRelay()
  relay.misbehave('connect', () => undefined)
  {
    const filled = await fillDatabase(SQLITE_LEADS, 'sent', { isIndexed: false })
    await using ours = await openSubject({ SMTP_URL: relay.url, MAIL_TO: OWNER }, filled)
    yield await indexing(ours, filled.path)
    // Sign in inside `measure`: outside, the program is paused, and it may have been paused while holding the write lock.
    const headers = await ours.measure(() => signIn({ DATA_DIR: filled.path }))
    yield* reads(ours, headers, SQLITE_LEADS, '1,000,000 leads')
    yield* posts(ours, headers)
  }
  yield* onPostgres(relay.url)
}

/** How long the program takes until the search finds all leads. */
async function indexing(ours: Subject, dataDir: string): Promise<Row> {
  const db = new Sqlite(join(dataDir, 'leads.db'), { readonly: true })
  const left = db.prepare('select 1 from leads where is_indexed = 0 limit 1')
  const isDone = () => left.get() === undefined
  const ms = await ours.measure(() => waitUntil('all leads are indexed', isDone, MAX_INDEXING_MS))
  db.close()
  return {
    figure: 'indexing 1,000,000 leads, while the site runs',
    unit: 's',
    ours: ms / 1000,
  }
}

async function* onPostgres(smtpUrl: string): AsyncIterable<Row> {
  const programs = findPostgres()
  if (!programs) return
  await using postgres = await startPostgres(programs, tmpdir())
  const url = postgres.urlOf('postgres')
  await fillPostgres(url, POSTGRES_LEADS)
  await using ours = await openSubject({ SMTP_URL: smtpUrl, MAIL_TO: OWNER, DATABASE_URL: url })
  const headers = await ours.measure(() => signIn({ DATA_DIR: '', DATABASE_URL: url }))
  yield* reads(ours, headers, POSTGRES_LEADS, '100,000 leads, PostgreSQL', false)
}

type Headers = Record<string, string>
/** A path to get, or a text to search for. */
type Read = string | { search: string }

async function* reads(ours: Subject, headers: Headers, leads: number, where: string, isJudged = true) {
  const count = Array.from({ length: READS }, (_, index) => index)
  const reference = (index: number) => {
    const number = String((index * 7919) % leads).padStart(8, '0')
    return `Q-${number.slice(0, 4)}-${number.slice(4)}`
  }
  const kinds = {
    'a list': [count.map((index) => `/leads?view=${views[index % views.length]}`), 50],
    'a search': [count.map((index) => ({ search: searches[index % searches.length] ?? '' })), 100],
    'one lead': [count.map((index) => `/leads/${reference(index)}`), 20],
    'the summary': [count.map(() => '/summary'), undefined],
    'the figures': [count.slice(0, 5).map(() => '/figures'), undefined],
  } as const
  for (const [name, [all, atMost]] of Object.entries(kinds)) {
    const [first = ''] = all
    await ours.measure((url) => timeReads(url, headers, [first]))
    const times = await ours.measure((url) => timeReads(url, headers, all))
    const slowest = times.toSorted((a, b) => b.ms - a.ms)[0]
    yield {
      figure: `inbox, response time of ${name}, p95, ${where}`,
      unit: 'ms',
      ours: percentile(
        times.map(({ ms }) => ms),
        0.95,
      ),
      ...(isJudged && atMost && { target: { atMost } }),
      note: `slowest: ${slowest?.name}, ${slowest?.ms.toFixed(0)} ms`,
    }
  }
}

async function timeReads(url: string, headers: Headers, reads: readonly Read[], signal?: AbortSignal) {
  const times: { name: string; ms: number }[] = []
  for (const read of reads) {
    const [path, name] = typeof read === 'string' ? [read, read] : ['/leads/search', read.search]
    const startedAt = performance.now()
    const response = await fetch(`${url}${apiPath}${path}`, {
      headers: { ...headers, 'Content-Type': 'application/json' },
      ...(typeof read !== 'string' && { method: 'POST', body: JSON.stringify(read) }),
      ...(signal && { signal }),
    })
    await response.text()
    if (!response.ok) throw new Error(`${name}: ${response.status}`)
    times.push({ name, ms: performance.now() - startedAt })
  }
  return times
}

/** Measures POSTs while one owner searches without a pause and another exports all leads. */
async function* posts(ours: Subject, headers: Headers): AsyncIterable<Row> {
  const postWhileInboxIsBusy = async () => {
    const done = new AbortController()
    const inbox = ours.measure((url) => searchAndExport(url, headers, done.signal))
    const result = await ours.post(POSTS).finally(() => done.abort())
    await inbox
    return result
  }
  const ratio = (our: { p99: number }, their: { p99: number }) => our.p99 / their.p99
  const { ours: our, theirs } = await alternate(ROUNDS, postWhileInboxIsBusy, () => ours.post(POSTS), ratio)
  yield {
    figure: 'POST, p99, 8 connections, while the inbox searches and exports 1,000,000 leads',
    unit: 'ms',
    ours: our.p99,
    baseline: { name: 'while the inbox is idle', value: theirs.p99 },
    target: { atMost: 1.25 },
  }
}

/** Exports all leads once, and searches until the signal aborts. */
async function searchAndExport(url: string, headers: Headers, signal: AbortSignal) {
  const all = searches.map((search) => ({ search }))
  const exported = fetch(`${url}${apiPath}/export?format=xlsx`, { headers, signal }).then(
    async (response) => {
      if (!response.ok) throw new Error(`export: ${response.status}`)
      for await (const _ of response.body ?? []);
    },
  )
  const search = async () => {
    while (!signal.aborted) await timeReads(url, headers, all, signal)
  }
  const failures = (await Promise.allSettled([exported, search()])).filter(
    (result) => result.status === 'rejected' && result.reason !== signal.reason,
  )
  if (failures.length > 0) throw failures[0]
}
