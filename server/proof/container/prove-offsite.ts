import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'

import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { freePort } from '../testing/free-port.ts'
import { createRecordingClient } from '../testing/recording-client.ts'
import { isOk, waitUntil } from '../testing/wait-until.ts'
import { expectThat, openCompose, prove } from './prove.ts'

const PROJECT = 'plumbline-offsite-proof'
// A volume outside the Compose project. It survives `destroy`, as if it were on another machine.
const REPOSITORY = `${PROJECT}-repository`
const VOLUMES = ['data', 'offsite'].map((name) => `${PROJECT}_${name}`)
const REQUESTS = 50
const START_MS = 60_000
// The offsite service looks for a new backup once a minute.
const PATIENCE_MS = 100_000

const port = await freePort()
const url = `http://localhost:${port}`
const folder = mkdtempSync(join(tmpdir(), 'website-offsite-'))
const envFile = join(folder, 'env')
const settings = {
  PORT: port,
  SITE_URL: url,
  CONTACT_LIMIT: 1_000_000,
  COMPOSE_PROFILES: 'offsite',
  RESTIC_REPOSITORY: '/repository',
  RESTIC_PASSWORD: 'only-for-this-test',
}
writeFileSync(
  envFile,
  Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join(''),
)
const override = join(folder, 'override.yml')
writeFileSync(
  override,
  `services:
  offsite: { volumes: ["repository:/repository"] }
volumes:
  repository: { external: true, name: ${REPOSITORY} }
`,
)
const files = ['docker-compose.yml', override]
const { docker, compose, exec } = openCompose(PROJECT, envFile, { files })
const client = createRecordingClient()
let acknowledged: string[] = []

/** The commands that operations.md documents for bringing the leads back. */
const documentedCommands = () =>
  (
    readFileSync('server/operations.md', 'utf8')
      .split('## When the disk dies')[1]
      ?.match(/```sh\n([^`]*)```/)?.[1] ?? ''
  )
    .trim()
    .split('\n')

const runWithoutTerminal = (command: string) =>
  compose(
    ...command
      .replace(/^docker compose /, '')
      .replace(/^run /, 'run -T ')
      .split(' '),
  )

const isReady = () => isOk(`${url}/healthz/ready`)

async function findings(check: string) {
  const all = JSON.parse((await exec('doctor', '--json')).stdout) as Record<string, string>[]
  return all.filter((finding) => finding.check === check).map(({ state, seen }) => `${state}: ${seen}`)
}

async function build() {
  await docker('volume', 'create', REPOSITORY)
  await compose('build', 'web', 'offsite')
  return compose('run', '--rm', '-T', 'offsite', 'restic', 'version')
}

async function start() {
  await compose('up', '-d')
  const took = await waitUntil('the site is ready', isReady, START_MS)
  return `ready after ${took.toFixed()} ms`
}

async function hardened() {
  const id = await compose('ps', '-q', 'offsite')
  const seen = await docker(
    'inspect',
    '--format',
    '{{.Config.User}} {{.HostConfig.ReadonlyRootfs}} {{.HostConfig.CapDrop}} {{.HostConfig.SecurityOpt}} {{.HostConfig.Memory}} {{.HostConfig.PidsLimit}}',
    id,
  )
  expectThat(/^1000:1000 true \[ALL\] \[no-new-privileges:true\] [1-9]\d+ [1-9]\d*$/.test(seen), seen)
  const write = await compose('exec', '-T', 'offsite', 'touch', '/data/x').catch(String)
  expectThat(write.includes('Read-only file system'), `the data is writable: ${write}`)
  return 'user 1000, no capabilities, read-only, limits set, cannot write to the data'
}

async function backUp(): Promise<string> {
  return JSON.parse((await exec('backup', '--json')).stdout).path
}

const isSent = (path: string) => async () =>
  (await exec('grep', basename(path), '/data/offsite/offsite.json')).code === 0

async function send() {
  for (let count = 0; count < REQUESTS; count++) await client.post(url)
  acknowledged = client.acknowledged().map(({ reference = '' }) => reference)
  expectThat(acknowledged.length === REQUESTS, `${acknowledged.length} acknowledged`)
  const took = await waitUntil('the backup is sent', isSent(await backUp()), PATIENCE_MS)
  const [backup, offsite, ...risks] = await findings('backups')
  expectThat(
    backup !== undefined && offsite !== undefined && risks.length === 0,
    JSON.stringify([backup, offsite, ...risks]),
  )
  return `${acknowledged.length} requests; the backup was sent after ${(took / 1000).toFixed()} s; ${offsite}`
}

async function destroy() {
  await compose('down', '--volumes')
  const left = (await docker('volume', 'ls', '--quiet')).split('\n')
  expectThat(left.includes(REPOSITORY), 'the repository is gone too')
  expectThat(!VOLUMES.some((name) => left.includes(name)), left.join())
  return 'only the repository is left'
}

async function restore() {
  const output: string[] = []
  for (const command of documentedCommands()) output.push(await runWithoutTerminal(command))
  const took = await waitUntil('the site is ready', isReady, START_MS)
  const { stdout } = await exec('leads', 'list', '--json', '-n', '100000')
  const stored = new Set((JSON.parse(stdout) as { reference: string }[]).map(({ reference }) => reference))
  const lost = acknowledged.filter((reference) => !stored.has(reference))
  expectThat(lost.length === 0, `${lost.length} of ${acknowledged.length} lost\n${output.join('\n')}`)
  return `${documentedCommands().length} commands, ready after ${took.toFixed()} ms: all ${acknowledged.length} leads are back`
}

const steps = {
  'builds the images': build,
  'starts with the offsite profile': start,
  'runs without privileges on a read-only file system': hardened,
  'sends a backup offsite': send,
  'deletes every volume except the repository': destroy,
  'restores the leads with the documented commands': restore,
}

await prove(steps, async () => {
  await compose('down', '--volumes')
  await docker('volume', 'rm', REPOSITORY)
  rmSync(folder, { recursive: true })
})
