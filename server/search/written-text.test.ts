import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, storeLead } from '../proof/testing/leads.ts'
import { readSaid } from './written-text.ts'

const site = useTestApp()

async function storeReplies(...texts: string[]) {
  const { id } = await storeLead(site.db)
  const reply = { lead_id: id, at: site.clock.now.toISOString(), who: anna, what: 'reply' } as const
  for (const text of texts)
    await site.db
      .insertInto('lead_events')
      .values({ ...reply, text })
      .execute()
  return id
}

test('a search looks through the newest 20,000 characters, of however many texts', async () => {
  const id = await storeReplies('oldest', 'o'.repeat(15_000), ...Array(60).fill('n'.repeat(100)))

  const texts = (await readSaid(site.db, id)).map(({ text }) => text)

  expect(texts).toEqual(
    [...Array(60).fill('n'.repeat(100)), 'o'.repeat(14_000)].map((t) => t.slice(0, 14_000)),
  )
})

test('of a very long history, a search looks through the newest 500 texts', async () => {
  const id = await storeReplies(...Array(540).fill('short'))

  expect(await readSaid(site.db, id)).toHaveLength(500)
})
