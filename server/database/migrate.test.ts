import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { checkDatabase, openDatabase } from '../doctor/database.ts'
import { type Env, parseEnv } from '../env.ts'
import { openTestDatabase, useFolder } from '../proof/testing/build-test-app.ts'
import * as future from '../proof/testing/future-migration.ts'
import { storeLead } from '../proof/testing/leads.ts'
import { migrate, migrations } from './migrate.ts'
import { openExistingStorage, openStorage } from './open-storage.ts'

const folder = useFolder()
let opened: Awaited<ReturnType<typeof openTestDatabase>>
beforeEach(async () => {
  opened = await openTestDatabase(folder.path)
})
afterEach(() => opened.remove())

async function runDoctor(env: Env) {
  const db = openDatabase(env)
  await checkDatabase(db, env).finally(() => db?.destroy())
}

const withFuture = { ...migrations, '999-future': future }
const readLeads = async () =>
  (await sql<{ message: string; city?: string }>`select * from leads`.execute(opened.db)).rows

test('a migration that fails halfway changes nothing, can run again, keeps the leads, and is not repeated', async () => {
  await storeLead(opened.db, { message: 'A roof' })
  const failing: typeof future = {
    async up(db) {
      await future.up(db)
      throw new Error('injected')
    },
  }

  await expect(migrate(opened.db, { ...migrations, '999-future': failing })).rejects.toThrow('injected')

  expect(await readLeads()).toEqual([expect.not.objectContaining({ city: 'Chicago' })])
  for (const _time of [1, 2]) await migrate(opened.db, withFuture)
  expect(await readLeads()).toMatchObject([{ message: 'A roof', city: 'Chicago' }])
})

test('a database from a newer version is refused by the server, by commands and by doctor, and not changed', async () => {
  await storeLead(opened.db)
  await migrate(opened.db, withFuture)

  const refusal = /belongs to a newer version of this program/
  await expect(openStorage(opened.env, () => {})).rejects.toThrow(refusal)
  await expect(openExistingStorage(opened.env)).rejects.toThrow(refusal)
  await expect(runDoctor(parseEnv(opened.env))).rejects.toThrow(refusal)

  expect(await readLeads()).toMatchObject([{ city: 'Chicago' }])
})
