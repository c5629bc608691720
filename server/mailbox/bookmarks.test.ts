import { expect, test } from 'vitest'
import { readNote, writeNote } from '../database/notes.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { createBookmarks } from './bookmarks.ts'
import type { Open } from './open-folder.ts'
import { writeRead } from './trouble.ts'

const site = useTestApp()
const MINUTE_MS = 60_000
const folder = { path: 'INBOX', validity: '1', next: 51 }
const noted = () => readNote(site.db, 'mailbox_inbox')

/** A folder in which a search finds these messages. */
function opened(found: number[] = []) {
  const asked: unknown[] = []
  const ask = async (_call: string, wanted: unknown) => {
    asked.push(wanted)
    return found
  }
  const mark = { of: '', uid: 0 }
  const open = {
    folder: 'inbox',
    name: 'inbox',
    reader: { ask },
    mark,
    read: { uid: 0, at: 0 },
  } as unknown as Open
  const bookmarks = createBookmarks({ ...site.context, imapUrl: 'imap://ada:p@mail.example' })
  return { open, asked, bookmarks }
}

test('reading begins with what is new, goes on where it ended, and in a replaced mailbox looks back for a week, from when it was last read', async () => {
  const { open, asked, bookmarks } = opened([40, 45])
  open.mark = await bookmarks.find(open, folder)
  expect(open.mark).toMatchObject({ uid: 50 })
  await bookmarks.move(open, 60)
  await bookmarks.move(open, 55)
  expect(await noted()).toEqual(open.mark)
  expect(await bookmarks.find(open, folder)).toEqual({ ...open.mark, uid: 60 })
  expect(asked).toEqual([])

  expect(await bookmarks.find(open, { ...folder, validity: '2' })).toMatchObject({ uid: 39, settled: 39 })
  expect(asked).toEqual([{ since: new Date(site.clock.now.getTime() - 7 * 24 * 60 * MINUTE_MS) }])
  await writeRead(site.db, site.clock.now)
  site.advanceClock(30 * 24 * 60 * MINUTE_MS)
  await bookmarks.find(open, { ...folder, validity: '3' })
  expect(asked[1]).toEqual(asked[0])
  // Some services use the same UIDVALIDITY for all accounts.
  await writeNote(site.db, 'mailbox_inbox', { of: 'bo@mail.example INBOX 2', uid: 60 })
  expect(await bookmarks.find(opened().open, folder)).toMatchObject({ uid: 50 })
})

test('if an email of an owner was found, what came in the ten minutes before is looked at again, once', async () => {
  const { open, bookmarks } = opened()
  const start = site.clock.now.getTime()
  open.mark = { of: 'x', uid: 20, settled: 10 }
  open.read = { uid: 15, at: start }

  bookmarks.settle(open, start + 10 * MINUTE_MS - 1)
  await bookmarks.goBack(open)
  expect(open.mark).toMatchObject({ uid: 20, settled: 10 })
  bookmarks.settle(open, start + 10 * MINUTE_MS)
  expect([open.mark, open.read]).toEqual([
    { of: 'x', uid: 20, settled: 15 },
    { uid: 20, at: start },
  ])

  await bookmarks.lookAgain()
  await bookmarks.goBack(open)
  expect(await noted()).toMatchObject({ uid: 15 })
  await bookmarks.move(open, 20)
  await bookmarks.goBack(open)
  expect(open.mark).toMatchObject({ uid: 20 })
})
