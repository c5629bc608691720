import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { memoryFolder } from './memory-folder.ts'

// Debian has one folder per version.
const DEBIAN = '/usr/lib/postgresql/*/bin'
const READY_MS = 20_000
// Test data is small, but some tests run several replicas, each with its own connection pool.
const settings = ['max_connections=300', 'shared_buffers=64MB', 'max_wal_size=128MB', 'listen_addresses=']

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>

/** The folder of PostgreSQL's programs, or undefined. */
export const findPostgres = (): string | undefined => fromDebian() ?? onPath()

const fromDebian = () =>
  globSync(DEBIAN)
    .toSorted(byVersion)
    .find((folder) => existsSync(join(folder, 'initdb')))

const byVersion = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })

function onPath(): string | undefined {
  const { status, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const folder = status === 0 ? stdout.trim() : ''
  return existsSync(join(folder, 'initdb')) ? folder : undefined
}

/**
 * Starts a real PostgreSQL server with a new cluster (in memory if there is room). It listens only on a socket in its
 * folder. Its collation is English, so that tests fail if a query relies on byte order without asking for it.
 */
export async function startPostgres(programs: string, parent = memoryFolder()) {
  const user = unprivileged()
  const folder = mkdtempSync(join(parent, 'website-postgres-'))
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  execFileSync(
    join(programs, 'initdb'),
    ['-D', data, '-U', 'plumbline', '--auth=trust', '--encoding=UTF8', '--no-sync'].concat([
      '--locale=C.UTF-8',
      '--locale-provider=icu',
      '--icu-locale=en-US',
    ]),
    { ...user, stdio: 'pipe' },
  )

  let server: ChildProcess | undefined
  const urlOf = (database: string) => `postgres://plumbline@localhost/${database}?host=${folder}`

  async function start(more: readonly string[] = []) {
    const options = [`unix_socket_directories=${folder}`, ...settings, ...more].flatMap((setting) => [
      '-c',
      setting,
    ])
    server = spawn(join(programs, 'postgres'), ['-D', data, ...options], { ...user, stdio: 'ignore' })
    const port = more.find((setting) => setting.startsWith('port='))?.slice('port='.length) ?? '5432'
    const isReady = () => spawnSync(join(programs, 'pg_isready'), ['-h', folder, '-p', port]).status === 0
    for (const startedAt = performance.now(); !isReady(); await sleep(20))
      if (performance.now() - startedAt > READY_MS) throw new Error('PostgreSQL was not ready in time.')
  }

  /** `fast` cuts every connection. `immediate` is like a crash: the next start recovers. */
  async function stop(how: 'fast' | 'immediate' = 'fast') {
    if (!server || server.exitCode !== null) return
    const stopped = once(server, 'exit')
    server.kill(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await stopped
  }

  await start()
  const onExit = () => server?.kill('SIGQUIT')
  process.on('exit', onExit)
  return {
    folder,
    user,
    urlOf,
    start,
    stop,
    async [Symbol.asyncDispose]() {
      process.off('exit', onExit)
      await stop('immediate')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** If this process is root, returns the user that must run PostgreSQL instead, because PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string, name: string) => {
    const { status, stdout } = spawnSync('id', [flag, name], { encoding: 'utf8' })
    return status === 0 ? Number(stdout) : undefined
  }
  const name = id('-u', 'postgres') === undefined ? 'nobody' : 'postgres'
  return { uid: id('-u', name) ?? 65_534, gid: id('-g', name) ?? 65_534 }
}
