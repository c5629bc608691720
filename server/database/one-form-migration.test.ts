import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { readSetAside } from '../mailbox/set-aside.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { up } from './migrations/006-one-form.ts'

const site = useTestApp()

const migrateAgain = () => up(site.db as unknown as Kysely<unknown>)

test('notes of messages that could not be read no longer name their senders', async () => {
  const at = site.clock.now.toISOString()
  const messages = [
    { uid: 1, tries: 5, at, dueAt: null, from: 'eve@example.com', date: 'Mon, 2 Mar 2026' },
    { uid: 2, tries: 1, at, dueAt: at },
  ]
  await site.db
    .insertInto('settings')
    .values({ name: 'mailbox_aside_inbox', value: JSON.stringify({ of: 'here', messages }) })
    .execute()

  await migrateAgain()

  expect(await readSetAside(site.db, 'inbox', 'here')).toEqual([
    { uid: 1, tries: 5, at, date: 'Mon, 2 Mar 2026' },
    { uid: 2, tries: 1, at },
  ])
})
