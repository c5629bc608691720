import { isIPv6 } from 'node:net'
import { isServerRunning } from '../database/lock-data-directory.ts'
import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { describeNetworkError } from './network-error.ts'

const about = findingsAbout('server')
const aboutSite = findingsAbout('public address')

const PATIENCE_MS = 10_000

/** Whether the server runs, answers here, and can be reached at its public address. */
export async function checkRunningServer(env: Env): Promise<Finding[]> {
  const { DATA_DIR, DATABASE_URL, PORT, SITE_URL } = env
  if (!DATABASE_URL && !isServerRunning(DATA_DIR))
    return [
      about.warning(
        'The server is not running on this data directory.',
        'Start it: npm start, or docker compose up -d.',
      ),
    ]
  const local = localAddress(env)
  // With PORT=0 only the log knows the port.
  const here =
    PORT === 0 ? about.ok('The server is running.') : await checkLocal(local, DATABASE_URL === undefined)
  return SITE_URL && SITE_URL !== local ? [here, await checkSite(SITE_URL)] : [here]
}

/** Where this machine reaches the server. A server on all addresses answers at localhost, too. */
function localAddress({ HOST = 'localhost', PORT }: Env): string {
  if (HOST === '0.0.0.0' || HOST === '::') return `http://localhost:${PORT}`
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`
}

async function checkLocal(url: string, isRunning: boolean): Promise<Finding> {
  const answer = await ask(url, '/healthz/ready')
  if (answer === 'ok') return about.ok(`The server answers at ${url} and can store.`)
  // With PostgreSQL, replicas may run elsewhere, and there is no lock on this machine.
  if (!isRunning && answer.includes('ECONNREFUSED'))
    return about.warning(`No server answers at ${url}.`, 'Start one, if one should run on this machine.')
  return about.problem(
    `The server runs, but not as it should at ${url}: ${answer}.`,
    answer === 'database'
      ? 'It cannot store: the disk is full, locked or broken. Read its log.'
      : 'Check PORT and HOST.',
  )
}

async function checkSite(url: string): Promise<Finding> {
  const answer = await ask(url, '/healthz')
  if (answer === 'ok') return aboutSite.ok(`${url} reaches this server.`)
  return aboutSite.warning(
    `${url} does not reach this server, seen from this machine: ${answer}.`,
    'Check DNS, firewall and proxy. Some networks cannot reach their own public address: open it from outside, too.',
  )
}

/** The status that a health page names, or what came instead of it. */
async function ask(url: string, path: string): Promise<string> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(PATIENCE_MS) })
    const body = (await response.json().catch(() => ({}))) as { status?: unknown }
    return typeof body.status === 'string'
      ? body.status
      : `another program answers (status ${response.status})`
  } catch (error) {
    return describeNetworkError(error)
  }
}
