import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { inject } from 'vitest'
import { openDatabase } from '../../database/open-database.ts'
import { connect } from '../../database/postgres/open-postgres.ts'
import { atDatabase, createDatabase, dropDatabase } from './create-database.ts'
import { compileCache } from './start-program.ts'

/** Whether the tests of this run are those on PostgreSQL; what is about SQLite's own file is then left out. */
export const isOnPostgres = inject('postgres') !== undefined

/** A database of the test's own: in the folder, or on the server of the run. */
export async function openTestDatabase(dataDir: string) {
  const server = inject('postgres')
  if (!server) {
    const db = await openDatabase(dataDir)
    return { db, env: envOf({ DATA_DIR: dataDir }), remove: () => db.destroy() }
  }
  const name = `test_${randomBytes(8).toString('hex')}`
  const url = await createDatabase(atDatabase(server.template, 'postgres'), name, 'empty')
  const db = connect(url, 'visitor')
  return {
    db,
    env: envOf({ DATA_DIR: dataDir, DATABASE_URL: url }),
    async remove() {
      await db.destroy()
      await dropDatabase(url)
    },
  }
}

/** For the commands of the program. */
const envOf = (place: { DATA_DIR: string; DATABASE_URL?: string }) => ({
  ...compileCache,
  ...place,
  BACKUP_DIR: join(place.DATA_DIR, 'backups'),
})
