import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../testing/free-port.ts'
import { createRecordingClient } from '../testing/recording-client.ts'
import { isOk, waitUntil } from '../testing/wait-until.ts'
import { expectThat, openCompose, prove, sampleDatabase } from './prove.ts'

const REPLICAS = 3
const EARLIER_REFERENCE = 'Q-01D0-0001'
const START_MS = 60_000
const VISITORS = 6
const LOAD_MS = 3_000

const folder = mkdtempSync(join(tmpdir(), 'website-scale-'))
const envFile = join(folder, 'env')
const [port, tlsPort] = [await freePort(), await freePort()]
const url = `http://localhost:${port}`
const settings: Record<string, string | number> = {
  SITE_URL: 'http://localhost',
  HTTP_PORT: port,
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  HTTPS_PORT: tlsPort,
  CONTACT_LIMIT: 1_000_000,
}
writeSettings()
const project = openCompose('plumbline-scale', envFile, { service: 'copies', profile: 'scale' })
const { docker, compose, exec, runInNewContainer, hasImage, buildImage } = project
const client = createRecordingClient()

function writeSettings(changes: typeof settings = {}) {
  Object.assign(settings, changes)
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(envFile, lines.join(''))
}

const idsOf = async (service: string) => (await compose('ps', '-q', service)).split('\n')
const isReady = () => isOk(`${url}/healthz/ready`)

async function up() {
  await compose('up', '-d', 'balancer')
  return waitUntil('the balancer reaches a ready replica', isReady, START_MS)
}

/** Builds our image. For PostgreSQL and Caddy, uses the official images or, if they can't be pulled, Debian's packages. */
async function build() {
  await compose('build', 'copies')
  const used: string[] = []
  for (const [name, image] of Object.entries({ postgres: 'postgres:17', caddy: 'caddy:2' })) {
    const standIn = `plumbline-stand-in-${name}`
    const isOfficial = await hasImage(image)
    if (!isOfficial) {
      const dockerfile = join(import.meta.dirname, 'stand-in', `${name}.Dockerfile`)
      await buildImage(standIn, readFileSync(dockerfile))
      writeSettings({ [`${name.toUpperCase()}_IMAGE`]: standIn })
    }
    used.push(isOfficial ? image : `${standIn} for ${image}`)
  }
  return used.join(', ')
}

async function migrate() {
  await runInNewContainer(['sh', '-c', 'cat > /data/leads.db'], await sampleDatabase(EARLIER_REFERENCE))
  return (await runInNewContainer(['leads', 'copy'])).split('\n')[0] ?? ''
}

async function start() {
  const took = await up()
  const replicas = (await idsOf('copies')).length
  expectThat(replicas === REPLICAS, `${replicas} replicas`)
  const moved = await exec('leads', 'show', EARLIER_REFERENCE)
  expectThat(moved.code === 0, moved.stderr)
  const published = await compose('port', 'postgres', '5432').catch(() => '')
  expectThat(!/:[1-9]/.test(published), `PostgreSQL's port is published as ${published}`)
  return `${replicas} replicas on one database, ready after ${took.toFixed()} ms; PostgreSQL's port is not published`
}

/** Kills a replica while visitors post, who repeat each request until it is accepted. */
async function killUnderLoad() {
  const replicas = await idsOf('copies')
  let isOver = false
  const visitors = client.visit(
    () => url,
    VISITORS,
    () => isOver,
  )
  await sleep(LOAD_MS)
  await docker('kill', '--signal', 'KILL', replicas[0] ?? '')
  await sleep(LOAD_MS)
  isOver = true
  await visitors
  // Start the replica again: Docker doesn't restart a container after `docker kill`.
  await up()
  const served = await Promise.all(replicas.map((id) => docker('logs', id)))
  const counts = served.map((lines) => lines.split('"outcome"').length - 1)
  expectThat(Math.min(...counts) > 0, `requests stored by each replica: ${counts}`)
  return `stored by each replica: ${counts.join(', ')}; ${await verify()}`
}

/** Checks that every acknowledged request is stored exactly once. */
async function verify() {
  const { stdout } = await exec('leads', 'list', '--json', '-n', '100000')
  const leads = JSON.parse(stdout) as { reference: string; message: string }[]
  const stored = new Map(leads.map(({ reference, message }) => [reference, message]))
  const acknowledged = client.acknowledged()
  const lost = acknowledged.filter(({ reference = '', request }) => stored.get(reference) !== request.message)
  const duplicates = leads.length - new Set(leads.map(({ message }) => message)).size
  expectThat(lost.length === 0 && duplicates === 0, `${lost.length} lost, ${duplicates} duplicates`)
  return `${acknowledged.length} acknowledged, 0 lost, 0 duplicates`
}

async function runDoctor() {
  type Finding = { check: string; state: string; seen: string }
  const findings: Finding[] = JSON.parse((await exec('doctor', '--json')).stdout)
  // All requests of this proof come from one address, as doctor notices.
  const problems = findings.filter(({ check, state }) => state === 'problem' && check !== 'visitors')
  expectThat(problems.length === 0, JSON.stringify(problems))
  const backup = JSON.parse((await exec('backup', '--json')).stdout) as { leads: number }
  return `no problem; a backup of ${backup.leads} leads`
}

const steps = {
  'builds or pulls the images': build,
  'migrates a data directory to PostgreSQL': migrate,
  'starts replicas that share a database, behind a balancer': start,
  'survives the loss of a replica under load': killUnderLoad,
  'passes `doctor` and takes a backup': runDoctor,
}

await prove(steps, async () => {
  await compose('down', '--volumes')
  rmSync(folder, { recursive: true })
})
