import { expect, test } from 'vitest'
import { checkSetAside } from '../doctor/mailbox.ts'
import { erasePerson } from '../leads/erase/erase-leads.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import type { Bookmarks } from './bookmarks.ts'
import type { Folder } from './imap.ts'
import { MAX_GIVEN_UP, MAX_TRIES, MAX_WAITING, PAUSES_MS } from './limits.ts'
import type { Open } from './open-folder.ts'
import { createReadFolder } from './read-folder.ts'
import { countUnreadable, readSetAside, setAside, takeBack } from './set-aside.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const site = useTestApp()
const ada = { from: 'ada@example.com', date: 'Mon, 2 Mar 2026 10:00:00 +0100' }
const fail = (uid: number, of = 'here', folder: Folder = 'inbox') =>
  setAside(site.db, { folder, of, now: site.clock.now }, { uid, ...ada })
const read = (of?: string) => readSetAside(site.db, 'inbox', of)
async function giveUp(uid: number, folder?: Folder) {
  for (let tries = 0; tries < MAX_TRIES; tries++) await fail(uid, 'here', folder)
}

test('a message is tried again four times, later each time, and then given up within an hour', async () => {
  const dues: (string | null)[] = []
  for (let dueAt = (await fail(7)).dueAt; dueAt; { dueAt } = await fail(7)) {
    dues.push(dueAt)
    site.clock.now = new Date(dueAt)
  }
  expect(dues.map((dueAt) => dueAt?.slice(11, 19))).toEqual(['15:00:05', '15:01:05', '15:06:05', '15:36:05'])
  expect(await read('here')).toEqual([
    { uid: 7, tries: 5, at: '2026-03-02T15:36:05.000Z', dueAt: null, ...ada },
  ])
})

test('a message is not tried before its pause is over, except by a clock that was set back', async () => {
  let asked = 0
  const reader = {
    ask: async () => {
      asked++
      return []
    },
    isOpen: () => true,
  }
  const { tryAgain } = createReadFolder({ ...site.context, bookmarks: {} as Bookmarks })
  const triesAt = async (ms: number) => {
    site.clock.now = new Date(ms)
    await tryAgain({ reader, name: 'inbox', mark: { of: 'here' } } as unknown as Open)
    return asked
  }
  let due = 0
  for (const pause of PAUSES_MS) {
    due = Date.parse((await fail(7)).dueAt ?? '')
    expect([pause, await triesAt(due - pause), await triesAt(due - 1)]).toEqual([pause, 0, 0])
    site.clock.now = new Date(due)
  }
  expect(await triesAt(due - Math.max(...PAUSES_MS) - 1)).toBe(1)
})

test('doctor and the morning email count what was given up, and doctor names it', async () => {
  expect(await checkSetAside(site.db)).toEqual([])
  for (const folder of ['inbox', 'sent'] as const) await giveUp(7, folder)
  await fail(8)
  const [found] = await checkSetAside(site.db)
  expect(found?.seen).toMatch(
    /^3 messages .*: from ada@example\.com, of Mon, 2 Mar.*; .*will be tried again; .*$/,
  )
  expect(await countUnreadable(site.db, new Date(site.clock.now.getTime() - DAY_MS))).toBe(2)
  expect(await countUnreadable(site.db, site.clock.now)).toBe(0)
})

test('of many messages, doctor names the newest ten', async () => {
  for (let uid = 1; uid <= 12; uid++)
    await setAside(site.db, { folder: 'inbox', of: 'here', now: site.clock.now }, { ...ada, uid, from: '' })

  const [found] = await checkSetAside(site.db)
  expect(found?.seen).toMatch(/^12 messages [^:]*: number 3, .*; number 12, [^;]*$/)
})

test('a message that is given up after the office has opened is in the next morning email', async () => {
  await fail(7)
  const opening = site.clock.now.getTime() + 1
  site.clock.now = new Date(opening + PAUSES_MS.reduce((sum, pause) => sum + pause))
  for (let tries = 1; tries < MAX_TRIES; tries++) await fail(7)

  expect(await countUnreadable(site.db, new Date(opening))).toBe(1)
})

test('what was read after all is forgotten, and so is all of a mailbox that was replaced', async () => {
  await fail(7)
  await fail(8)
  await fail(8, 'here', 'sent')
  for (const [folder, uid] of [
    ['inbox', 7],
    ['sent', 8],
  ] as const)
    await takeBack(site.db, folder, uid)
  expect(await readSetAside(site.db, 'sent')).toEqual([])
  expect(await read('here')).toMatchObject([{ uid: 8 }])
  expect(await read('elsewhere')).toEqual([])
  await fail(1, 'elsewhere')
  expect(await read()).toMatchObject([{ uid: 1 }])
})

test('messages that are set aside at the same time are all noted', async () => {
  await Promise.all([1, 2, 3, 4].map((uid) => fail(uid)))
  expect((await read()).map(({ uid }) => uid).toSorted()).toEqual([1, 2, 3, 4])
})

test('of many messages that were given up, the newest are named, for 30 days', async () => {
  for (let uid = 1; uid <= MAX_GIVEN_UP + 2; uid++) await giveUp(uid)
  expect((await read()).map(({ uid }) => uid)).toEqual(Array.from({ length: MAX_GIVEN_UP }, (_, n) => n + 3))
  site.advanceClock(30 * DAY_MS)
  await fail(99)
  expect(await read()).toMatchObject([{ uid: 99 }])
})

test('if many wait, the next one has its last try at once', async () => {
  for (let uid = 1; uid <= MAX_WAITING; uid++) await fail(uid)
  expect(await fail(99)).toMatchObject({ tries: MAX_TRIES - 1, dueAt: site.clock.now.toISOString() })
  expect(await fail(99)).toMatchObject({ tries: MAX_TRIES, dueAt: null })
  expect(await fail(1)).toMatchObject({ tries: 2 })
})

test('erasing a person also erases who sent a message that could not be read', async () => {
  for (const folder of ['inbox', 'sent'] as const) await fail(7, 'here', folder)
  const inbox = { folder: 'inbox', of: 'here', now: site.clock.now } as const
  await setAside(site.db, inbox, { uid: 8, from: 'bo@example.com' })
  await setAside(site.db, { ...inbox, folder: 'moved' }, { uid: 9, from: 'bo@example.com' })
  const erase = (address: string) =>
    erasePerson({ ...site, backupDir: site.dataDir, now: site.clock.now }, { address, leads: [], others: [] })
  await erase('grace@example.com')
  expect(await read()).toMatchObject([{ from: ada.from }, { uid: 8 }])
  await erase(ada.from.toUpperCase())
  expect(await read()).toMatchObject([
    { uid: 7, date: ada.date },
    { uid: 8, from: 'bo@example.com' },
  ])
  const stored = await site.db.selectFrom('settings').selectAll().execute()
  expect(JSON.stringify(stored)).not.toContain(ada.from)
})
