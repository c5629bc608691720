import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { BACKUP_DAYS } from '#shared/pages.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { readNote } from '../../database/notes.ts'
import { backupName } from '../../files/backup-list.ts'
import { isOnPostgres, useFolder, useTestApp } from '../../proof/testing/build-test-app.ts'
import {
  anna,
  answerTools,
  erase as erasePerson,
  messagesIn,
  queryFile,
  storeLeads,
} from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { runInThisProcess } from '../../proof/testing/run-program.ts'
import { backupsExpireAt, readErasures, saveErasures } from './erasures.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const address = 'eve@example.com'

const site = useTestApp({ mailTo: [anna] })
const folder = useFolder()

const submit = (email: string, message = email) => {
  site.advanceClock(1000)
  return site.submit({ email, message })
}
const erase = () => erasePerson(site, address)
/** Restores a backup on a machine that has only these backups. */
const restore = (file: string, backupDir = site.env.BACKUP_DIR) =>
  runInThisProcess('restore', [file], { DATA_DIR: folder.path, BACKUP_DIR: backupDir })
const restored = () => messagesIn(join(folder.path, 'leads.db'))

/** Answers a lead at a corrected address. */
const correct = async (message: string, to: string) => {
  const lead = site.db.selectFrom('leads').select('reference').where('message', '=', message)
  const { reference } = await lead.executeTakeFirstOrThrow()
  await answerTools(site).answer(reference, { to, key: crypto.randomUUID() })
}

test('people who are erased, also for a second time, are erased again when an earlier backup is restored', async () => {
  await submit(address, 'before')
  await erase()
  await submit('EVE@example.com', 'Xylophone please')
  await storeLeads(site.db, ...Array(100).fill({ email: address, created_at: site.clock.now.toISOString() }))
  await submit('ada@example.com')
  const { path } = await takeBackup(site.env, site.clock.now)
  await erase()

  const { stdout } = await restore(path)

  expect(stdout).toContain('Restored 1 lead')
  expect(stdout).toContain('Erased again: 101 leads of people who were erased after this backup.')
  expect(restored()).toEqual(['ada@example.com'])
  expect(readFileSync(join(folder.path, 'leads.db'), 'latin1')).not.toMatch(/xylophone|eve@example/i)
})

test.skipIf(isOnPostgres)('the records next to a backup from another machine are used, too', async () => {
  await submit(address)
  const { path } = await takeBackup(site.env, site.clock.now)
  await erase()

  await restore(path, join(folder.path, 'no-backups'))

  expect(restored()).toEqual([])
})

test('leads that the person sent after the erasure stay, also when a backup with them is restored', async () => {
  await submit(address, 'before')
  await erase()
  await submit(address, 'after')
  const { path } = await takeBackup(site.env, site.clock.now)

  await restore(path)

  expect(restored()).toEqual(['after'])
})

test('a restore also erases leads from before or after an owner corrected the address, but not those of others', async () => {
  await submit('eve@exmaple.com', 'corrected later')
  await submit('eva@example.com', 'of Eva')
  await submit('eva@example.com', 'corrected before')
  await correct('corrected before', address)
  await submit(address, 'of Eve')
  const { path } = await takeBackup(site.env, site.clock.now)
  await correct('corrected later', address)
  await erase()

  await restore(path)

  expect(restored()).toEqual(['of Eva'])
})

test('a restored database keeps the records for the next restore', async () => {
  await submit(address)
  const { path } = await takeBackup(site.env, site.clock.now)
  writeFileSync(join(folder.path, 'old.db'), readFileSync(path))
  await erase()
  await restore(path)

  await restore(join(folder.path, 'old.db'), join(folder.path, 'backups'))

  expect(restored()).toEqual([])
})

test('a restore is refused if the records cannot be read', async () => {
  const { path } = await takeBackup(site.env, site.clock.now)
  writeFileSync(join(site.env.BACKUP_DIR, 'erasures.json'), 'damaged')

  const { code, stderr } = await restore(path)

  expect([code, stderr]).toEqual([1, expect.stringContaining('erasures.json cannot be read')])
  expect(existsSync(join(folder.path, 'leads.db'))).toBe(false)
})

test('records have no address, and are deleted once no backup can contain the person anymore', async () => {
  mkdirSync(site.env.BACKUP_DIR)
  await submit(address)
  const erasedAt = site.clock.now
  const { backupsUntil } = await erase()
  expect(backupsUntil).toBe(new Date(erasedAt.getTime() + BACKUP_DAYS * DAY_MS).toISOString())
  const records = async () => [
    (await readNote(site.db, 'erasures'))?.length,
    readErasures(site.env.BACKUP_DIR).length,
  ]
  const saveAfter = (ms: number) =>
    saveErasures(site.db, site.env.BACKUP_DIR, [], new Date(backupsExpireAt(erasedAt).getTime() + ms))
  expect(readFileSync(join(site.env.BACKUP_DIR, 'erasures.json'), 'utf8')).not.toContain('eve')

  await saveAfter(-1)
  expect(await records()).toEqual([1, 1])
  // The server was off, so that an old backup is still there.
  const backupAfter = (ms: number) => {
    const path = join(site.env.BACKUP_DIR, backupName(new Date(erasedAt.getTime() + ms)))
    writeFileSync(path, '')
    return path
  }
  const old = backupAfter(-DAY_MS)
  backupAfter(DAY_MS)
  await saveAfter(1)
  expect(await records()).toEqual([1, 1])
  rmSync(old)
  await saveAfter(1)
  expect(await records()).toEqual([0, 0])
})

test.skipIf(!isOnPostgres)('"leads copy" erases people again when it restores a backup', async () => {
  await submit(address)
  await submit('ada@example.com')
  const { path } = await takeBackup(site.env, site.clock.now)
  await erase()
  await site.db.deleteFrom('leads').execute()

  const { code, stdout } = await runInThisProcess('leads', ['copy', path], site.env)

  expect([code, stdout]).toEqual([0, expect.stringContaining('1 lead,')])
  expect(await site.db.selectFrom('leads').select('email').execute()).toEqual([{ email: 'ada@example.com' }])
})

test('a restore also erases what the person has written about the lead of somebody else, each time', async () => {
  const { takeIn, answered } = mailboxTools(site)
  const { answers, reference } = await answered({ message: 'of Ada' })
  const reply = async (text: string) => {
    site.advanceClock(1000)
    await takeIn({ answers, from: address, text, id: `<${text}@example.com>` })
  }
  const restoredReplies = () =>
    queryFile(join(folder.path, 'leads.db'), "select text from lead_events where what = 'reply'").flat()
  await reply('xylophone-one')
  await erase()
  await reply('xylophone-two')
  await answerTools(site).answer(reference, { key: crypto.randomUUID(), to: address, text: 'Quetzal' })
  const { path } = await takeBackup(site.env, site.clock.now)

  await restore(path)
  expect(restoredReplies()).toEqual(['xylophone-two'])

  site.advanceClock(1000)
  await erase()
  await reply('later')
  const { path: later } = await takeBackup(site.env, site.clock.now)
  const { stdout } = await restore(path)
  expect(stdout).toContain('Erased again: 0 leads and 1 message of people who were erased after this backup.')
  expect(restored()).toEqual(['of Ada'])
  const bytes = readFileSync(join(folder.path, 'leads.db'), 'latin1')
  expect(/.{80}(?:xylophone|quetzal|eve@example).{80}/is.exec(bytes)?.[0]).toBeUndefined()
  await restore(later)
  expect(restoredReplies()).toEqual(['later'])
})

test('a restore erases messages that are newer than the leads of the person', async () => {
  await submit(address, 'of Eve')
  const { takeIn, answered } = mailboxTools(site)
  const { answers } = await answered({ message: 'of Ada' })
  await takeIn({ answers, from: address, text: 'Xylophone' })
  const { path } = await takeBackup(site.env, site.clock.now)
  await erase()

  await restore(path)

  expect(restored()).toEqual(['of Ada'])
  const replies = "select text from lead_events where what = 'reply'"
  expect(queryFile(join(folder.path, 'leads.db'), replies)).toEqual([])
})

test('an erasure, also by a restore, removes the person from what owners have sent to others, too', async () => {
  const { takeIn } = mailboxTools(site)
  const messages = () => site.db.selectFrom('lead_events').selectAll().where('received', 'is not', null)
  await submit('ada@example.com', 'of Ada')
  await submit(address, 'of Eve')
  const toBoth = { from: anna, to: `ada@example.com, ${address}`, text: 'Both.\n\n> Xylophone' }
  await takeIn(toBoth, 'sent')
  const [{ id: _, key: __, ...sent } = {} as never] = await messages().execute()
  const many = Array.from({ length: 119 }, () => ({ ...sent, key: null }))
  await site.db.insertInto('lead_events').values(many).execute()
  const { path } = await takeBackup(site.env, site.clock.now)
  site.advanceClock(1000)
  await erase()

  const left = await messages().execute()
  expect(left).toHaveLength(120)
  expect(left.filter(({ received }) => /eve@|Xylophone/.test(received ?? ''))).toEqual([])
  expect(JSON.parse(left.at(-1)?.received ?? '')).toMatchObject({ to: ['ada@example.com'] })

  await restore(path)
  const received = () =>
    queryFile(join(folder.path, 'leads.db'), 'select received from lead_events').flat().map(String)
  expect(received()).toHaveLength(120)
  expect(received().filter((message) => /eve@|Xylophone/.test(message))).toEqual([])

  // What is sent after the erasure stays.
  site.advanceClock(1000)
  await takeIn({ from: anna, to: `ada@example.com, ${address}` }, 'sent')
  const { path: later } = await takeBackup(site.env, site.clock.now)
  await restore(later)
  expect(JSON.parse(received().at(-1) ?? '').to).toEqual(['ada@example.com', address])
})
