import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
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
    run: loseAndRestore,
  },
]

async function loseAndRestore(): Promise<string> {
  await using harness = await openHarness()
  const { relay, client, dataDir } = harness
  const command = async (name: string, argument: string) => {
    const { code, output } = await runCli([name, argument], { env: { DATA_DIR: dataDir } })
    expectThat(code === 0, output)
    return output
  }
  relay.misbehave('connect', '421 closed for tonight')
  const program = await harness.start()
  let isOver = false
  const load = client.load(program.url, VISITORS, () => isOver)
  await waitUntil('requests are stored', () => client.acknowledged().length >= REQUESTS_BEFORE)
  const before = client.acknowledged()
  const { path } = JSON.parse(await command('backup', '--json'))
  await waitUntil('more requests are stored', () => client.acknowledged().length >= REQUESTS_AFTER)
  isOver = true
  await load
  await program.stop('SIGKILL')

  for (const suffix of ['', '-wal', '-shm']) rmSync(join(dataDir, `leads.db${suffix}`), { force: true })
  await command('restore', path)
  relay.heal()
  const next = await harness.start()
  await harness.drain(next.url)
  await next.stop()

  const stored = new Set((await harness.query((stored) => stored.leads())).map(({ reference }) => reference))
  const mailed = new Set(relay.emails.map(({ reference }) => reference))
  const missing = before.filter(({ reference = '' }) => !stored.has(reference) || !mailed.has(reference))
  const integrity = await harness.query((stored) => stored.integrity())
  expectThat(missing.length === 0 && integrity === 'ok', `${missing.length} missing, ${integrity}`)
  return `${before.length} of ${before.length} back, all emailed (${mailed.size} emails)`
}
