import type { TestProject } from 'vitest/node'
import { preparePostgres } from '../../database/postgres/open-postgres.ts'
import { createDatabase } from './create-database.ts'
import { findPostgres, startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of an empty database with the newest schema, to copy. Set only in the tests on PostgreSQL. */
    postgres?: { template: string }
    /** Test files that run only on SQLite, and those that run on both databases. */
    sqliteOnly: string[]
    onBoth: string[]
  }
}

/** Starts one server for all tests. Each test copies the template. */
export async function setup(project: TestProject) {
  const server = await startPostgres(findPostgres() ?? '')
  const template = await createDatabase(server.urlOf('postgres'), 'empty')
  await (await preparePostgres(template)).destroy()
  project.provide('postgres', { template })
  return () => server[Symbol.asyncDispose]()
}
