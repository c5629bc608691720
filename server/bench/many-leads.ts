import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '../database/open-database.ts'

const FEW = 1_000
// Enough for the heap to have reached the size that it keeps.
const SOME = 100_000
const MANY = 1_000_000
const ROUNDS = 15
const MOST_TIME_RATIO = 1.2
const MOST_MEMORY_RATIO = 1.5

const commands = {
  list: ['list'],
  'list --state failed': ['list', '--state', 'failed'],
  'list --since 7d': ['list', '--since', '7d'],
  'list --search (newest)': ['list', '--search', 'person 999', '--limit', '1'],
  show: ['show', 'Q-0000-0500'],
}
// These read every lead, and take their time.
const scans = {
  'list --search (nowhere)': ['list', '--search', 'found nowhere'],
  'stats --weeks 12': ['stats'],
}

/** A data directory with so many leads, ten a minute up to now; all but one in ten thousand delivered. */
async function fill(count: number): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  await (await openDatabase(dataDir)).destroy()
  const db = new Sqlite(join(dataDir, 'leads.db'))
  db.pragma('synchronous = off')
  db.exec(`
    begin;
    with recursive number(n) as (select 0 union all select n + 1 from number where n + 1 < ${count})
    insert into leads (id, reference, created_at, first_name, last_name, email, phone, company, website, budget, message, content_hash)
    select printf('%012d-7000-8000-%s', n, hex(randomblob(6))), printf('Q-%04d-%04d', n / 10000, n % 10000),
      strftime('%Y-%m-%dT%H:%M:%fZ', 'now', ((n - ${count}) * 6) || ' seconds'), 'Person', 'Number ' || n,
      'person' || n || '@example.com', '(312) 555-0199', 'Company ' || n, 'https://example.com',
      case n % 3 when 0 then 'starter' when 1 then 'professional' else '' end,
      'I am person ' || (n % 1000) || '. ' || hex(randomblob(150)), hex(randomblob(32)) from number;
    insert into outbox (lead_id, kind, recipient, state, attempts, due_at, sent_at, message_id)
    select id, 'owner_notice', 'owner@example.com', iif(rowid % 10000 = 0, 'failed', 'sent'), 1, created_at, created_at,
      '<' || id || '.0@example.com>' from leads;
    insert into outbox_attempts select id, due_at, state, 250, '250 2.0.0 Ok: queued as 4Xk2Yz' from outbox;
    commit;`)
  db.close()
  return dataDir
}

const argumentsOf = (args: string[]) => [join(import.meta.dirname, '../cli/leads.ts'), ...args]

function timeMs(dataDir: string, args: string[]): number {
  const start = performance.now()
  const { status, stderr } = spawnSync(process.execPath, argumentsOf(args), {
    env: { DATA_DIR: dataDir },
    maxBuffer: 1e9,
  })
  if (status !== 0) throw new Error(String(stderr))
  return performance.now() - start
}

/** Seconds and the most memory (MB) that a command took, its output thrown away. */
async function measure(dataDir: string, args: string[]) {
  const start = performance.now()
  const child = spawn(process.execPath, argumentsOf(args), {
    env: { DATA_DIR: dataDir },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let most = 0
  child.stdout.on('data', () => {
    most = Math.max(most, residentMb(child.pid ?? 0))
  })
  const [status] = await once(child, 'close')
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`)
  return { seconds: (performance.now() - start) / 1000, mb: most }
}

function residentMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
  } catch {
    return 0
  }
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const say = (text: string) => process.stdout.write(`${text}\n`)

const few = await fill(FEW)
const some = await fill(SOME)
const many = await fill(MANY)
let isTooSlow = false
try {
  say(
    `${MANY} leads: ${Math.round(statSync(join(many, 'leads.db')).size / 1e6)} MB. Medians of ${ROUNDS}, taken in turns.`,
  )
  for (const [name, args] of Object.entries(commands)) {
    const times = Array.from({ length: ROUNDS }, () => [timeMs(few, args), timeMs(many, args)] as const)
    const [fast, slow] = [median(times.map(([time]) => time)), median(times.map(([, time]) => time))]
    const ratio = slow / fast
    isTooSlow ||= name === 'list' && ratio > MOST_TIME_RATIO
    say(
      `${name.padEnd(24)} ${fast.toFixed(0)} ms with ${FEW}, ${slow.toFixed(0)} ms with ${MANY}: ${ratio.toFixed(2)} x`,
    )
  }
  for (const [name, args] of Object.entries(scans))
    say(`${name.padEnd(24)} ${timeMs(many, args).toFixed(0)} ms`)
  for (const format of [[], ['--json']]) {
    const small = await measure(some, ['export', ...format])
    const large = await measure(many, ['export', ...format])
    isTooSlow ||= large.mb > MOST_MEMORY_RATIO * small.mb
    say(
      `${['export', ...format].join(' ').padEnd(24)} ${large.seconds.toFixed(1)} s, ${large.mb.toFixed(0)} MB at most (with ${SOME}: ${small.mb.toFixed(0)} MB)`,
    )
  }
  say(`The bounds: list ${MOST_TIME_RATIO} x in time, export ${MOST_MEMORY_RATIO} x in memory.`)
} finally {
  for (const folder of [few, some, many]) rmSync(folder, { recursive: true })
}
process.exitCode = isTooSlow ? 1 : 0
