import { apiPath } from '#shared/inbox/api.ts'
import { type LeadDetail, leadViews } from '#shared/inbox/lead.ts'
import { openDatabase } from '../../../database/sqlite.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { percentile } from '../../testing/percentile.ts'
import type { Row } from '../row.ts'
import { OWNER, openSubject, type Subject, signIn } from '../subject.ts'

const READS = 400
// 55 years of five leads a day. The targets apply to this number.
const LEADS = 100_000
// One lead has a long conversation.
const TALKATIVE = 'Q-0000-0042'
const MESSAGES = 300

const searches = [
  // Full and partial names, phone numbers, email addresses, domains and references.
  ...['lindberg', 'anna lindberg', 'berg', 'strö', 'José', 'dwayne eastfield bakery', '555-01'],
  '(312) 555-0123',
  ...['555', 'anna.lindberg', 'bakery.example', 'Q-0042-4242', '0042'],
  // Common words, two-letter words, and words that match nothing.
  ...['website', 'we need', 'the', 'an', 'be', 'xylophone', 'qqqq', 'lindberg xylophone'],
]

/**
 * Measures how long an owner waits for lists and searches, and for how long these block the server.
 */
export async function* measure(): AsyncIterable<Row> {
  for (const count of [LEADS, 1_000_000]) {
    using data = await fillDatabase(count)
    await addMessages(data.path)
    await using ours = await openSubject({ env: { MAIL_TO: OWNER }, data, isMailSilent: true })
    // Sign in inside `measure`: outside, the program is paused, and it may have been paused while
    // holding the write lock.
    const headers = await ours.measure(() => signIn({ DATA_DIR: data.path }))
    yield* reads(ours, headers, count)
    if (count === LEADS) yield* blocking(ours, headers)
  }
}

async function addMessages(dataDir: string) {
  const db = await openDatabase(dataDir)
  const lead = db.selectFrom('leads').select(['id', 'email']).where('reference', '=', TALKATIVE)
  const { id, email } = await lead.executeTakeFirstOrThrow()
  const received = JSON.stringify({
    messageId: '<a@b>',
    quotes: [{ at: 0, text: 'x'.repeat(1_000) }],
    attachments: [],
  })
  const message = { lead_id: id, at: new Date().toISOString(), who: email, what: 'reply', received } as const
  for (let number = 0; number < MESSAGES; number++)
    await db
      .insertInto('lead_events')
      .values({ ...message, text: `Message ${number}: ${'a roof '.repeat(50)}` })
      .execute()
  await db.destroy()
}

type Headers = Record<string, string>
/** A path to get, or to post to. */
type Read = readonly [path: string, body?: object]
const search = (search: string): Read => ['/leads/search', { search }]

async function* reads(ours: Subject, headers: Headers, leads: number) {
  const count = Array.from({ length: READS }, (_, index) => index)
  const reference = (index: number) => {
    const number = String((index * 7919) % leads).padStart(8, '0')
    return `Q-${number.slice(0, 4)}-${number.slice(4)}`
  }
  const kinds: Record<string, [Read[], atMost: number]> = {
    'a list': [count.map((index) => [`/leads?view=${leadViews[index % leadViews.length]}`]), 50],
    'a search': [count.map((index) => search(searches[index % searches.length] ?? '')), 100],
    'one lead': [count.map((index) => [`/leads/${reference(index)}`]), 20],
    [`one lead with ${MESSAGES} messages`]: [count.map(() => [`/leads/${TALKATIVE}`]), 20],
  }
  for (const [name, [all, atMost]] of Object.entries(kinds)) {
    await ours.measure((url) => timeReads(url, headers, all.slice(0, 1)))
    yield {
      figure: `inbox, response time of ${name}, p95, ${leads.toLocaleString('en-US')} leads`,
      unit: 'ms',
      ours: percentile(await ours.measure((url) => timeReads(url, headers, all)), 0.95),
      ...(leads === LEADS && { target: { atMost } }),
    }
  }
}

/** Returns how long each read took, in milliseconds. */
async function timeReads(url: string, headers: Headers, reads: readonly Read[]): Promise<number[]> {
  const times: number[] = []
  for (const read of reads) {
    const startedAt = performance.now()
    await (await call(url, headers, ...read)).text()
    times.push(performance.now() - startedAt)
  }
  return times
}

/** Gets a path of the API, or posts `body` to it. */
async function call(url: string, headers: Headers, path: string, body?: object) {
  const response = await fetch(`${url}${apiPath}${path}`, {
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response
}

/**
 * Measures for how long each of an owner's reads, an export and an erasure block the server at
 * most.
 */
async function* blocking(ours: Subject, headers: Headers): AsyncIterable<Row> {
  const read = (path: string) => (url: string) => timeReads(url, headers, [[path], [path], [path]])
  const works: Record<string, (url: string) => Promise<unknown>> = {
    'a list': read('/leads?view=all'),
    'a search': (url) => timeReads(url, headers, [search('qqqq'), search('lindberg xylophone')]),
    'one lead': read(`/leads/${TALKATIVE}`),
    'the figures': read('/figures'),
    'an export': (url) => exportAll(url, headers),
    'an erasure': async (url) => ours.confirm(-(await erase(url, headers, TALKATIVE))),
  }
  for (const [name, work] of Object.entries(works))
    yield {
      figure: `inbox, longest time for which ${name} blocks the server, 100,000 leads`,
      unit: 'ms',
      ours: await ours.measure((url) => longestWait(url, work(url))),
      target: { atMost: 100 },
    }
}

/** The longest time that a visitor waits for a small file, again and again, until `work` ends. */
async function longestWait(url: string, work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let longest = 0
  while (!isDone) {
    const startedAt = performance.now()
    await (await fetch(`${url}/robots.txt`)).text()
    longest = Math.max(longest, performance.now() - startedAt)
  }
  await done
  return longest
}

async function exportAll(url: string, headers: Headers) {
  const { body } = await call(url, headers, '/export?format=xlsx')
  for await (const _ of body ?? []);
}

/** Erases the person who sent a lead. Returns the number of erased leads. */
async function erase(url: string, headers: Headers, reference: string): Promise<number> {
  const lead = `/leads/${reference}`
  const { email } = (await (await call(url, headers, lead)).json()) as LeadDetail
  const response = await call(url, headers, `${lead}/erase`, { email })
  const { references } = (await response.json()) as { references: string[] }
  return references.length
}
