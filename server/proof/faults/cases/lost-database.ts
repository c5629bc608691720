import { copyFileSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { runCli } from '../run-cli.ts'

const VISITORS = 6
const REQUESTS_BEFORE = 60
const REQUESTS_AFTER = 90

export const lostDatabase: FaultCase[] = [
  {
    family: 'lost database',
    fault: 'the database is backed up under load while emails wait, then deleted and restored',
    expected: 'every lead from before the backup is stored and emailed',
    isLong: true,
    async run() {
      const { before, missing, mails, took } = await loseAndRestore(backUp)
      expectThat(missing === 0, `${missing} of ${before} missing`)
      return `${before} of ${before} back, all emailed (${mails} emails); the backup took ${took.toFixed()} ms`
    },
  },
  {
    family: 'control',
    fault: '"every lead from before the backup is stored and emailed", sabotaged: cp instead of `backup`',
    expected: 'the check fails',
    isControl: true,
    isLong: true,
    async run() {
      const seen = await loseAndRestore(copyTheFile).then(({ missing }) => `${missing} missing`, refusal)
      expectThat(seen !== '0 missing', 'the check passes, so it proves nothing')
      return `fails: ${seen}`
    },
  },
]

/**
 * Copies the database under load while the mail server is down, deletes it, and restores the copy. Counts the leads from
 * before the copy that are not both stored and emailed at the end.
 */
async function loseAndRestore(takeCopy: (dataDir: string) => Promise<string>) {
  await using harness = await openHarness()
  harness.relay.misbehave('connect', '421 closed for tonight')
  const program = await harness.start()
  const { before, copy, took } = await copyUnderLoad(harness, program.url, takeCopy)
  await program.stop('SIGKILL')

  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(harness.dataDir, `leads.db${suffix}`), { force: true })
  await command('restore', harness.dataDir, copy)
  harness.relay.heal()
  const next = await harness.start()
  await harness.drain(next.url)
  await next.stop()

  const stored = new Set((await harness.query((stored) => stored.leads())).map(({ reference }) => reference))
  const mailed = new Set(harness.relay.emails.map(({ reference }) => reference))
  const missing = before.filter(({ reference = '' }) => !stored.has(reference) || !mailed.has(reference))
  const integrity = await harness.query((stored) => stored.integrity())
  expectThat(integrity === 'ok', integrity)
  return { before: before.length, missing: missing.length, mails: mailed.size, took }
}

async function copyUnderLoad(harness: Harness, url: string, takeCopy: (dataDir: string) => Promise<string>) {
  const { acknowledged } = harness.client
  let isOver = false
  const load = harness.client.load(url, VISITORS, () => isOver)
  await waitUntil('requests are stored', () => acknowledged().length >= REQUESTS_BEFORE)
  const before = acknowledged()
  const startedAt = performance.now()
  const copy = await takeCopy(harness.dataDir)
  const took = performance.now() - startedAt
  await waitUntil('more requests are stored', () => acknowledged().length >= REQUESTS_AFTER)
  isOver = true
  await load
  return { before, copy, took }
}

async function backUp(dataDir: string): Promise<string> {
  return JSON.parse(await command('backup', dataDir, '--json')).path
}

/** The wrong way to back up: the newest leads are still in the WAL, which this does not copy. */
async function copyTheFile(dataDir: string): Promise<string> {
  const copy = join(dataDir, 'copies', 'leads.db')
  mkdirSync(join(dataDir, 'copies'))
  copyFileSync(join(dataDir, 'leads.db'), copy)
  return copy
}

/** Returns why `restore` refused the copy: the copy is empty if the whole database was still in the WAL. */
function refusal({ message }: Error): string {
  expectThat(message.includes('cannot be restored'), message)
  return message.trim()
}

async function command(name: string, dataDir: string, argument: string): Promise<string> {
  const { code, output } = await runCli([name, argument], { env: { DATA_DIR: dataDir } })
  if (code !== 0) throw new Error(output)
  return output
}
