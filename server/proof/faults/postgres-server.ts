import { randomBytes } from 'node:crypto'
import { createDatabase } from '../testing/create-database.ts'
import { findPostgres, startPostgres, type TestPostgres } from '../testing/start-postgres.ts'

let server: Promise<TestPostgres> | undefined

/** The address of an empty database on the PostgreSQL of this run, which is started when it is first asked for. */
export async function newDatabase(): Promise<string> {
  server ??= ownPostgres()
  return createDatabase((await server).urlOf('postgres'), `trial_${randomBytes(6).toString('hex')}`)
}

/** A PostgreSQL of a case's own, to be stopped and started by it. */
export const ownPostgres = (): Promise<TestPostgres> => startPostgres(findPostgres() ?? '')

/** At the end of the run. */
export async function stopPostgres() {
  await (await server)?.[Symbol.asyncDispose]()
}
