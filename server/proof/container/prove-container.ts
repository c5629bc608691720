import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { apiPath } from '#shared/inbox/api.ts'
import { expectThat } from '../faults/fault-case.ts'
import { fillDatabase } from '../testing/fill-database.ts'
import { freePort } from '../testing/free-port.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openProject, prove, sampleDatabase } from './prove.ts'

const PROJECT = 'plumbline-proof'
const IMAGE = 'website'
const MAX_ADDED_MB = 45
const MAX_STOP_MS = 5_000
const LOAD_VISITORS = 8
const LOAD_POSTS = 10_000
const LOAD_MS = 600_000
const EXPORTED_LEADS = 100_000
const EARLIER_REFERENCE = 'Q-01D0-0001'
// The first scheduled backup comes a minute after the start, and the first health check comes after
// 30 s.
const PATIENCE_MS = 100_000

const port = await freePort()
const settings = { PORT: port, SITE_URL: `http://localhost:${port}`, EMAILS_A_DAY: 0 }
const project = openProject(PROJECT, port, settings)
const { url, client, docker, compose, exec, up, runInNewContainer } = project

const containerId = () => compose('ps', '-q', 'web')
const inspect = async (format: string) => docker('inspect', '--format', format, await containerId())
const inMegabytes = (bytes: number) => Math.round(bytes / 1e6)

/**
 * Whether the lead's email has been written to a file. Without a mail server, that's how the
 * program sends it.
 */
const isEmailed = async (reference: string) =>
  (await exec('grep', '-rl', `Subject:.*${reference}`, '/data/mail')).code === 0

async function exportLeads(): Promise<string> {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  }
  const { url: link } = JSON.parse((await exec('leads', 'sign-in', '--json')).stdout)
  const body = JSON.stringify({ token: link.split('#link=')[1] })
  const signedIn = await fetch(`${url}${apiPath}/sign-in/link`, { method: 'POST', headers, body })
  headers.Cookie = signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const response = await fetch(`${url}${apiPath}/export?format=json`, { headers })
  expectThat(response.ok, `the export: ${response.status}`)
  return response.text()
}

const steps = {
  async 'builds the image'() {
    await compose('build', 'web')
    const baseName = readFileSync('Dockerfile', 'utf8').match(/^FROM (\S+)(?![\s\S]*^FROM)/m)?.[1] ?? ''
    const size = async (name: string) =>
      Number(await docker('image', 'inspect', '--format', '{{.Size}}', name))
    const [total, base] = [await size(IMAGE), await size(baseName)]
    expectThat(total - base <= MAX_ADDED_MB * 1e6, `adds ${inMegabytes(total - base)} MB`)
    return `${inMegabytes(total)} MB, of which ${inMegabytes(total - base)} on top of ${baseName}`
  },

  async 'starts on a data directory with leads'() {
    await runInNewContainer(['sh', '-c', 'cat > /data/leads.db'], await sampleDatabase(EARLIER_REFERENCE))
    const took = await up('web')
    const listed = (await project.leads()).map(({ reference }) => reference)
    expectThat(listed.includes(EARLIER_REFERENCE), `listed: ${listed}`)
    await waitUntil('the waiting email is sent', () => isEmailed(EARLIER_REFERENCE))
    return `the earlier lead is there and its email was sent; ready after ${took.toFixed()} ms`
  },

  async 'runs without privileges on a read-only file system'() {
    const seen = await project.expectHardened('web')
    const writes = await exec('touch', '/app/x')
    expectThat(writes.code !== 0, '/app is writable')
    const published = await compose('port', 'web', String(port))
    expectThat(published.startsWith('127.0.0.1:'), published)
    return `${seen}, published on ${published}`
  },

  async 'passes doctor'() {
    const bad = (await project.doctor()).filter(({ state }) => state === 'problem')
    expectThat(bad.length === 0, JSON.stringify(bad))
    // The doctor exits with 1, because it finds a problem.
    const withoutVolume = await docker('run', '--rm', IMAGE, 'sh', '-c', 'doctor --json || true')
    expectThat(withoutVolume.includes('unnamed volume'), withoutVolume)
    return 'no problem; reports a missing volume'
  },

  async 'takes its scheduled backup and is healthy'() {
    const isBackedUp = async () => (await docker('logs', await containerId())).includes('"backup taken"')
    await waitUntil('the scheduled backup is taken', isBackedUp, PATIENCE_MS)
    const isHealthy = async () => (await inspect('{{.State.Health.Status}}')) === 'healthy'
    await waitUntil('the health check passes', isHealthy, PATIENCE_MS)
    return 'one scheduled backup; healthy'
  },

  async 'stops within its grace period'() {
    const visitors = client.load(url, LOAD_VISITORS)
    const goal = client.acknowledged().length + 100
    await waitUntil('requests are acknowledged', () => client.acknowledged().length >= goal)
    const startedAt = performance.now()
    await docker('stop', await containerId())
    const took = performance.now() - startedAt
    await visitors.end()
    const code = await inspect('{{.State.ExitCode}}')
    expectThat(code === '0' && took <= MAX_STOP_MS, `exit ${code} after ${took.toFixed()} ms`)
    await up('web')
    return `exit ${code} after ${took.toFixed()} ms under load; ${await project.expectKept()}`
  },

  /** With many leads, takes many more, and then exports all of them as an owner does. */
  async 'takes 10,000 requests and exports 100,000 leads within its memory'() {
    await compose('stop', 'web')
    using filled = await fillDatabase(EXPORTED_LEADS)
    const bytes = readFileSync(join(filled.path, 'leads.db'))
    await runInNewContainer(['sh', '-c', 'rm -f /data/leads.db* && cat > /data/leads.db'], bytes)
    await up('web')
    const goal = client.acknowledged().length + LOAD_POSTS
    const visitors = client.load(url, LOAD_VISITORS)
    const isEnough = () => client.acknowledged().length >= goal
    await waitUntil('as many requests are acknowledged', isEnough, LOAD_MS)
    await visitors.end()
    const { stdout: memory } = await exec('grep', '-E', 'VmRSS|RssAnon', '/proc/1/status')

    const exported = JSON.parse(await exportLeads()) as unknown[]
    expectThat(exported.length >= EXPORTED_LEADS + LOAD_POSTS, `${exported.length} leads in the export`)
    const killed = await inspect('{{.State.OOMKilled}} {{.RestartCount}}')
    expectThat(killed === 'false 0', `killed, restarts: ${killed}`)
    return `${memory.replace(/\s+/g, ' ')}; ${exported.length} leads exported`
  },
}

await prove(steps, project.close)
