import { isServerRunning } from '../database/lock-data-directory.ts'
import type { Env } from '../env.ts'
import { errorFacts, messageOf } from '../errors/error-facts.ts'
import { type Found, ok, problem, warning } from './check.ts'

const TIMEOUT_MS = 10_000

/** Checks that the server runs and responds, locally and at its public address. */
export async function checkRunningServer(env: Env): Promise<Found[]> {
  const { DATA_DIR, DATABASE_URL, HOST = 'localhost', PORT, SITE_URL } = env
  const host = /^(0\.0\.0\.0|::)$/.test(HOST) ? 'localhost' : HOST.includes(':') ? `[${HOST}]` : HOST
  const local = `http://${host}:${PORT}`
  const status = await readStatus(local, '/healthz/ready')
  const start = 'Start it, with Docker by `docker compose up -d`, otherwise by `npm start`.'
  // With PostgreSQL, there is no lock file.
  const isRunning = DATABASE_URL ? !status.includes('ECONNREFUSED') : isServerRunning(DATA_DIR)
  if (!isRunning) return [warning('No server is running here.', start)]
  return [describe(local, status), SITE_URL && SITE_URL !== local ? await checkSite(SITE_URL) : []].flat()
}

function describe(url: string, status: string): Found {
  if (status === 'ok') return ok(`The server responds at ${url} and can store leads.`)
  return problem(
    `The server does not work at ${url}: ${status}.`,
    status === 'database' ? 'See "database" and "disk" above.' : 'Read its log, and check PORT and HOST.',
  )
}

async function checkSite(url: string): Promise<Found> {
  const status = await readStatus(url, '/healthz')
  if (status === 'ok') return ok(`${url} reaches a server of this program.`)
  return warning(
    `${url} does not reach the server from this machine: ${status}.`,
    'Open it on a phone without Wi-Fi; if it fails there, too, check DNS, firewall and proxy.',
  )
}

/** Returns the status in a health check's response, or what went wrong. */
async function readStatus(url: string, path: string): Promise<string> {
  try {
    const response = await fetch(url + path, { signal: AbortSignal.timeout(TIMEOUT_MS) })
    const { status } = Object(await response.json().catch(() => ({})))
    return typeof status === 'string' ? status : `another program responds (status ${response.status})`
  } catch (error) {
    // The error itself only says "fetch failed".
    return messageOf(errorFacts(error).cause ?? error)
  }
}
