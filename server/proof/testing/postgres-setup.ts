import { sql } from 'kysely'
import type { TestProject } from 'vitest/node'
import { preparePostgres } from '../../database/postgres.ts'
import { createDatabase } from './create-database.ts'
import { findPostgres, startPostgres } from './start-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The URL of an empty database with the newest schema, and how to copy it. Set only if the tests run on PostgreSQL. */
    postgres?: { template: string; options: string }
    /** Test files that run only on SQLite, and those that run on both databases. */
    sqliteOnly: string[]
    onBoth: string[]
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

// Since version 15, PostgreSQL copies a database's files only with this option. Its new default takes four times as long.
const copyOptions = (version: number) => `template empty${version >= 150_000 ? ' strategy file_copy' : ''}`
