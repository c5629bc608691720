import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { createLateCheck } from './check-integrity.ts'
import { openDatabase } from './open-database.ts'

const NEVER = new AbortController().signal
const PAGE = 4096

async function createDatabase({ isDamaged = false } = {}) {
  const folder = newDataDir()
  const db = await openDatabase(folder.path)
  await db.destroy()
  const file = join(folder.path, 'leads.db')
  if (isDamaged) writeFileSync(file, readFileSync(file).fill(0x5a, PAGE, 3 * PAGE))
  return folder
}

test('only a large database is checked while the server runs', async () => {
  using folder = await createDatabase()

  expect(createLateCheck(folder.path).isNeeded).toBe(false)
  expect(createLateCheck(folder.path, PAGE).isNeeded).toBe(true)
  expect(createLateCheck(join(folder.path, 'missing'), 0).isNeeded).toBe(false)
})

test('if the check after startup finds no damage, the next start does not wait for a check', async () => {
  using folder = await createDatabase()

  await createLateCheck(folder.path).run(NEVER)

  expect(createLateCheck(folder.path, PAGE).isNeeded).toBe(true)
})

test('if the check after startup finds damage, the next start checks the database first and fails', async () => {
  using folder = await createDatabase({ isDamaged: true })
  const check = createLateCheck(folder.path, PAGE)

  await expect(check.run(NEVER)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })

  expect(createLateCheck(folder.path, PAGE).isNeeded).toBe(false)
  await expect(openDatabase(folder.path)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
  check.forgetDamage()
  expect(existsSync(join(folder.path, 'leads.db-damaged'))).toBe(false)
})

test('damage is reported even if it cannot be recorded', async () => {
  using folder = await createDatabase({ isDamaged: true })
  mkdirSync(join(folder.path, 'leads.db-damaged'))

  await expect(createLateCheck(folder.path).run(NEVER)).rejects.toMatchObject({ code: 'SQLITE_CORRUPT' })
})

test('a check that cannot run does not report damage', async () => {
  const check = createLateCheck('/nowhere')

  await expect(check.run(NEVER)).rejects.not.toMatchObject({
    code: expect.stringContaining('SQLITE_CORRUPT'),
  })
})
