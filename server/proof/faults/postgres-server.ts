import { randomBytes } from 'node:crypto'
import { createDatabase, findPostgres, startPostgres, type TestPostgres } from '../testing/postgres.ts'

let server: Promise<TestPostgres> | undefined

/**
 * Creates an empty database on this run's PostgreSQL, which the first call starts. Returns its URL.
 */
export async function newDatabase(): Promise<string> {
  server ??= ownPostgres()
  return createDatabase((await server).urlOf('postgres'), `trial_${randomBytes(6).toString('hex')}`)
}

/** Starts a separate PostgreSQL server, for a fault case that restarts or reconfigures it. */
export const ownPostgres = (): Promise<TestPostgres> => startPostgres(findPostgres() ?? '')

/** Stops this run's PostgreSQL, if it was started. */
export async function stopPostgres() {
  await (await server)?.[Symbol.asyncDispose]()
}
