import { expect, test } from 'vitest'
import { checkSetAside } from '../doctor/mailbox.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import type { Folder } from './imap.ts'
import { MAX_GIVEN_UP, MAX_TRIES, MAX_WAITING } from './limits.ts'
import { countUnreadable, dueOf, forgetReplaced, readSetAside, setAside, takeBack } from './set-aside.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const date = 'Mon, 2 Mar 2026 10:00:00 +0100'

const site = useTestApp()
const fail = (uid: number, { of = 'here', folder = 'inbox', isLast = false } = {}) =>
  setAside(site.db, { folder, of, now: site.clock.now, isLast }, { uid, date })
const read = (of?: string) => readSetAside(site.db, 'inbox', of)
const due = async () => dueOf(await read(), site.clock.now)
const giveUp = (uid: number, folder: Folder = 'inbox') => fail(uid, { folder, isLast: true })

test('a message is tried again four times, later each time, and then given up within an hour', async () => {
  const pauses = [1, 3, 9, 27]
  await fail(7)
  for (const [index, minutes] of pauses.entries()) {
    site.advanceClock(minutes * MINUTE_MS - 1)
    expect(await due()).toEqual([])
    site.advanceClock(1)
    const isLast = index === pauses.length - 1
    expect(await due()).toEqual([{ uid: 7, isLast }])
    await fail(7, { isLast })
  }

  site.advanceClock(DAY_MS)
  expect(await due()).toEqual([])
  expect(await read('here')).toEqual([{ uid: 7, tries: MAX_TRIES, at: '2026-03-02T15:40:00.000Z', date }])
})

test('a clock that was set back ends a pause', async () => {
  await fail(7)

  site.advanceClock(-MINUTE_MS)

  expect(await due()).toEqual([{ uid: 7, isLast: false }])
})

test('doctor and the morning email count what was given up, and doctor names it', async () => {
  expect(await checkSetAside(site.db, site.clock.now)).toEqual([])
  for (const folder of ['inbox', 'moved'] as const) await giveUp(7, folder)
  await fail(8, { folder: 'sent Gesendet' })

  const [found] = await checkSetAside(site.db, site.clock.now)

  expect(found?.seen).toMatch(
    /^3 messages .*: number 7 in inbox, of Mon, 2 Mar.*; number 8 in Gesendet, .*, will be tried again\.$/,
  )
  expect(await countUnreadable(site.db, new Date(site.clock.now.getTime() - DAY_MS))).toBe(2)
  expect(await countUnreadable(site.db, site.clock.now)).toBe(0)
})

test('of many messages, doctor names the newest ten', async () => {
  for (let uid = 1; uid <= 12; uid++) await fail(uid)

  const [found] = await checkSetAside(site.db, site.clock.now)
  expect(found?.seen).toMatch(/^12 messages [^:]*: number 3 in .*; number 12 in inbox, [^;]*$/)
})

test('a message that is given up after the office has opened is in the next morning email', async () => {
  await fail(7)
  site.advanceClock(30 * MINUTE_MS)
  const opening = new Date(site.clock.now.getTime() - 1)
  await giveUp(7)

  expect(await countUnreadable(site.db, opening)).toBe(1)
})

test('what was read after all is forgotten, and so is all of a mailbox that was replaced', async () => {
  await fail(7)
  await fail(8)
  await fail(8, { folder: 'sent' })
  for (const [folder, uid] of [
    ['inbox', 7],
    ['sent', 8],
  ] as const)
    await takeBack(site.db, folder, uid)
  expect(await readSetAside(site.db, 'sent')).toEqual([])
  expect(await read('here')).toMatchObject([{ uid: 8 }])
  expect(await read('elsewhere')).toEqual([])
  await forgetReplaced(site.db, 'inbox', 'elsewhere')
  expect(await read()).toEqual([])
})

test('of many messages that were given up, the newest are named, for 30 days', async () => {
  for (let uid = 1; uid <= MAX_GIVEN_UP + 2; uid++) await giveUp(uid)
  expect((await read()).map(({ uid }) => uid)).toEqual(Array.from({ length: MAX_GIVEN_UP }, (_, n) => n + 3))
  site.advanceClock(30 * DAY_MS)
  await fail(99)
  const [found] = await checkSetAside(site.db, site.clock.now)
  expect(found?.seen).toMatch(/^1 message .*: number 99 in inbox/)
})

test('if too many wait, those that were not tried for longest have their last try at once', async () => {
  for (let uid = 0; uid <= MAX_WAITING + 1; uid++) await fail(uid)

  expect(await due()).toEqual([
    { uid: 0, isLast: true },
    { uid: 1, isLast: true },
  ])
  for (const uid of [0, 1]) await giveUp(uid)
  expect(await due()).toEqual([])
})
