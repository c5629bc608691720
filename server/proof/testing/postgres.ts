import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, globSync, mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { preparePostgres } from '../../database/postgres.ts'
import { findOnPath } from './find-on-path.ts'
import { memoryFolder } from './memory-folder.ts'
import { waitUntil } from './wait-until.ts'

const NOBODY = 65_534
// Debian has one folder per version.
const DEBIAN = '/usr/lib/postgresql/*/bin/initdb'
// Test data is small, but some tests run several replicas, each with its own connection pool.
const settings = ['max_connections=300', 'shared_buffers=64MB', 'max_wal_size=128MB', 'listen_addresses=']

export type TestPostgres = Awaited<ReturnType<typeof startPostgres>>

/** The folder of PostgreSQL's programs, or undefined. */
export function findPostgres(): string | undefined {
  const byVersion = (a: string, b: string) => b.localeCompare(a, 'en', { numeric: true })
  const initdb = globSync(DEBIAN).toSorted(byVersion)[0] ?? findOnPath('initdb')
  return initdb && dirname(initdb)
}

/**
 * Starts a real PostgreSQL server with a new cluster (in memory if there is room). It listens only
 * on a socket in its folder. Its collation is English, so that tests fail if a query relies on byte
 * order without asking for it.
 */
export async function startPostgres(programs: string, parent = memoryFolder()) {
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : undefined
  const folder = mkdtempSync(join(parent, 'website-postgres-'))
  chmodSync(folder, 0o700)
  if (user) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  execFileSync(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', 'plumbline', '--auth=trust', '--encoding=UTF8', '--no-sync'],
      ...['--locale=C.UTF-8', '--locale-provider=icu', '--icu-locale=en-US'],
    ],
    { ...user, stdio: 'pipe' },
  )

  let server: ChildProcess | undefined
  const urlOf = (database: string) => `postgres://plumbline@localhost/${database}?host=${folder}`

  async function start(more: readonly string[] = []) {
    const all = [`unix_socket_directories=${folder}`, ...settings, ...more]
    const options = all.flatMap((setting) => ['-c', setting])
    server = spawn(join(programs, 'postgres'), ['-D', data, ...options], { ...user, stdio: 'ignore' })
    const port = more.find((setting) => setting.startsWith('port='))?.slice('port='.length) ?? '5432'
    const isReady = () => spawnSync(join(programs, 'pg_isready'), ['-h', folder, '-p', port]).status === 0
    await waitUntil('PostgreSQL is ready', isReady)
  }

  /** `fast` cuts every connection. `immediate` is like a crash: the next start recovers. */
  async function stop(how: 'fast' | 'immediate' = 'fast') {
    if (!server || server.exitCode !== null || server.signalCode !== null) return
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

/** Runs statements on a new connection. */
export async function runSql(url: string, ...statements: string[]) {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Creates a database on the same server as `url`, as a copy of `template`. Returns the URL of the
 * new database.
 */
export async function createDatabase(url: string, name: string, template = 'template1'): Promise<string> {
  await runSql(url, `create database ${name} template ${template}`)
  return atDatabase(url, name)
}

/** Drops a database, even if it's in use. */
export const dropDatabase = (url: string): Promise<void> =>
  runSql(atDatabase(url, 'postgres'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)

export function atDatabase(url: string, name: string): string {
  const address = new URL(url)
  address.pathname = name
  return address.href
}

declare module 'vitest' {
  interface ProvidedContext {
    /**
     * The URL of an empty database with the newest schema, and how to copy it. Set only if the
     * tests run on PostgreSQL.
     */
    postgres?: { template: string; options: string }
  }
}

/** Starts one PostgreSQL server for all tests, with an empty database that each test copies. */
export async function setup(project: TestProject) {
  const server = await startPostgres(findPostgres() ?? '')
  const template = await createDatabase(server.urlOf('postgres'), 'empty')
  const db = await preparePostgres(template)
  const { rows } = await sql<{ server_version_num: string }>`show server_version_num`.execute(db)
  await db.destroy()
  project.provide('postgres', { template, options: copyOptions(Number(rows[0]?.server_version_num)) })
  return () => server[Symbol.asyncDispose]()
}

// Since version 15, PostgreSQL copies a database's files only with this option. Its new default
// takes four times as long.
const copyOptions = (version: number) => `template empty${version >= 150_000 ? ' strategy file_copy' : ''}`
