import { isIPv6 } from 'node:net'
import { isServerRunning } from '../database/lock-data-directory.ts'
import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { describeNetworkError } from './network.ts'

const about = findingsAbout('server')
const aboutSite = findingsAbout('public address')

const TIMEOUT_MS = 10_000

/** Checks that the server runs and responds, locally and at its public address. */
export async function checkRunningServer(env: Env): Promise<Finding[]> {
  const { DATA_DIR, DATABASE_URL, PORT, SITE_URL } = env
  if (!DATABASE_URL && !isServerRunning(DATA_DIR))
    return [
      about.warning(
        'No server is running on this data directory.',
        'Start it: npm start, or docker compose up -d',
      ),
    ]
  const local = localAddress(env)
  // With PORT=0, the OS chooses a port that only the log shows, so this command can't connect to it.
  const server =
    PORT === 0 ? about.ok('The server is running.') : await checkLocal(local, DATABASE_URL === undefined)
  return SITE_URL && SITE_URL !== local ? [server, await checkSite(SITE_URL)] : [server]
}

/** The server's address on this machine. */
function localAddress({ HOST = 'localhost', PORT }: Env): string {
  if (HOST === '0.0.0.0' || HOST === '::') return `http://localhost:${PORT}`
  return `http://${isIPv6(HOST) ? `[${HOST}]` : HOST}:${PORT}`
}

async function checkLocal(url: string, isRunning: boolean): Promise<Finding> {
  const status = await readStatus(url, '/healthz/ready')
  if (status === 'ok') return about.ok(`The server responds at ${url} and can store leads.`)
  // With PostgreSQL, there is no lock file, and all servers may be on other machines, so a refused connection is only a
  // warning.
  if (!isRunning && status.includes('ECONNREFUSED'))
    return about.warning(`No server responds at ${url}.`, 'Start one if it should run on this machine.')
  return about.problem(
    `The server is running, but does not work at ${url}: ${status}.`,
    status === 'database'
      ? 'It cannot store leads: the disk is full or broken, or the database is locked. Read the server log.'
      : 'Check PORT and HOST.',
  )
}

async function checkSite(url: string): Promise<Finding> {
  const status = await readStatus(url, '/healthz')
  if (status === 'ok') return aboutSite.ok(`${url} reaches this server.`)
  return aboutSite.warning(
    `${url} does not reach the server from this machine: ${status}.`,
    'Check DNS, firewall and proxy. Some networks cannot reach their own public address, so also open it from another network.',
  )
}

/** Returns the status in a health check's response, or what went wrong. */
async function readStatus(url: string, path: string): Promise<string> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const body = (await response.json().catch(() => ({}))) as { status?: unknown }
    if (typeof body.status === 'string') return body.status
    return `another program responds (status ${response.status})`
  } catch (error) {
    return describeNetworkError(error)
  }
}
