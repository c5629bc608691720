import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { postRequest } from '../testing/contact.ts'
import { freePort } from '../testing/free-port.ts'
import { createRecordingClient } from '../testing/recording-client.ts'
import { isOk, waitUntil } from '../testing/wait-until.ts'
import { expectThat, openCompose, prove, sampleDatabase } from './prove.ts'

const REPLICAS = 3
const EARLIER_REFERENCE = 'Q-01D0-0001'
const LIMIT = 5
const START_MS = 60_000
const VISITORS = 6
const LOAD_MS = 3_000
const OUTAGE_MS = 5_000

const folder = mkdtempSync(join(tmpdir(), 'website-scale-'))
const envFile = join(folder, 'env')
const [port, tlsPort] = [await freePort(), await freePort()]
const url = `http://localhost:${port}`
const settings: Record<string, string | number> = {
  SITE_URL: 'http://localhost',
  HTTP_PORT: port,
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  HTTPS_PORT: tlsPort,
  CONTACT_LIMIT: LIMIT,
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

async function limit() {
  const post = async (index: number) => (await postRequest(url, { message: `Number ${index}` })).status
  const statuses = await Promise.all(Array.from({ length: 30 }, (_, index) => post(index)))
  const accepted = statuses.filter((status) => status === 200).length
  expectThat(accepted === LIMIT, `${accepted} accepted`)
  expectThat(new Set(statuses).size === 2 && statuses.includes(429), [...new Set(statuses)].join())
  return `${accepted} of 30 requests from one client accepted, the others 429`
}

/**
 * Posts leads while `during` runs, and for LOAD_MS before and after it. Repeats a request until it is accepted. Returns how
 * often each status occurred.
 */
async function load(during: () => Promise<void>) {
  let isOver = false
  const before = client.entries.length
  const visit = async () => {
    while (!isOver) {
      const entry = await client.post(url)
      while (entry.reference === undefined) {
        await sleep(100)
        await client.repeat(url, entry)
      }
    }
  }
  const visitors = Promise.all(Array.from({ length: VISITORS }, visit))
  await sleep(LOAD_MS)
  await during()
  await sleep(LOAD_MS)
  isOver = true
  await visitors
  const statuses = client.entries.slice(before).flatMap((entry) => entry.statuses)
  return Object.entries(Object.groupBy(statuses, String)).map(([status, all]) => `${all?.length} x ${status}`)
}

async function killUnderLoad() {
  writeSettings({ CONTACT_LIMIT: 1_000_000 })
  await up()
  const replicas = await idsOf('copies')
  const responses = await load(async () => void (await docker('kill', '--signal', 'KILL', replicas[0] ?? '')))
  // Start the replica again: Docker doesn't restart a container after `docker kill`.
  await up()
  const served = await Promise.all(replicas.map((id) => docker('logs', id)))
  const counts = served.map((lines) => lines.split('"outcome"').length - 1)
  expectThat(
    counts.every((count) => count > 0),
    `requests stored by each replica: ${counts}`,
  )
  return `${responses.join(', ')}; stored by each replica: ${counts.join(', ')}; ${await verify()}`
}

async function stopDatabase() {
  const [id = ''] = await idsOf('postgres')
  const responses = await load(async () => {
    await docker('stop', id)
    await sleep(OUTAGE_MS)
    expectThat(!(await isReady()), 'ready without a database')
    await docker('start', id)
    await waitUntil('a replica is ready again', isReady, START_MS)
  })
  return `${responses.join(', ')}; ${await verify()}`
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
  const findings = JSON.parse((await exec('doctor', '--json')).stdout) as { state: string; seen: string }[]
  const problems = findings.filter(({ state }) => state === 'problem')
  expectThat(problems.length === 0, JSON.stringify(problems))
  const backup = JSON.parse((await exec('backup', '--json')).stdout) as { leads: number }
  return `no problem; a backup of ${backup.leads} leads`
}

const steps = {
  'builds or pulls the images': build,
  'migrates a data directory to PostgreSQL': migrate,
  'starts replicas that share a database, behind a balancer': start,
  'applies the rate limit across replicas': limit,
  'survives the loss of a replica under load': killUnderLoad,
  'survives a database outage under load': stopDatabase,
  'passes `doctor` and takes a backup': runDoctor,
}

await prove(steps, async () => {
  await compose('down', '--volumes')
  rmSync(folder, { recursive: true })
})
