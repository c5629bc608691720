import type { TestProject } from 'vitest/node'
import { preparePostgres } from '../../database/postgres/open-postgres.ts'
import { createDatabase } from './create-database.ts'
import { findPostgres, startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of an empty database in the newest shape, to be copied; only for the tests on PostgreSQL. */
    postgres?: { template: string }
  }
}

/** One server for all tests; each test copies a database for itself. */
export async function setup(project: TestProject) {
  const server = await startPostgres(findPostgres() ?? '')
  const template = await createDatabase(server.urlOf('postgres'), 'empty')
  await (await preparePostgres(template)).destroy()
  project.provide('postgres', { template })
  return () => server[Symbol.asyncDispose]()
}
