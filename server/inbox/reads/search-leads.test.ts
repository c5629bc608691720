import { expect, test } from 'vitest'
import { searchTextOf } from '../../leads/search-text.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { readCursor, searchLeads } from './lists.ts'

const site = useTestApp()

/** The references that a search finds. */
async function find(search: string) {
  const { leads } = await searchLeads(site.db, { search })
  return leads.map(({ reference }) => reference)
}

/** The references on all pages of a search. */
async function findAll(search: string) {
  const found: string[] = []
  for (let before: string | undefined; ; ) {
    const page = await searchLeads(site.db, { search, before })
    found.push(...page.leads.map(({ reference }) => reference))
    if (!page.next) return found
    before = readCursor(page.next)?.[1]
  }
}

const noMatches = ['lovelace berg', 'nobody', '-', '', "' or 1=1 --", '" OR *', 'NEAR(ada love)', '\0', '🙂']
test.each(noMatches)('"%s" finds nothing and breaks nothing', async (search) => {
  await storeLeads(site.db, {}, { first_name: 'Bob', last_name: 'Berg', email: 'b@b.example' })

  expect(await find(search)).toEqual([])
})

test('the newest match comes first, and a reference finds only its lead', async () => {
  await storeLeads(
    site.db,
    { reference: 'Q-1111-1111' },
    { reference: 'Q-2222-2222', message: 'About q-1111-1111 q11111111.' },
    { reference: 'Q-3333-3333', message: 'About q-1111-1111 q11111111.' },
  )

  expect(await find('ada')).toEqual(['Q-3333-3333', 'Q-2222-2222', 'Q-1111-1111'])
  expect(await find('Q-1111-1111')).toEqual(['Q-1111-1111'])
})

/** Stores a lead for each message, oldest first. Its reference is the index of its message. */
async function storeMany(messages: readonly string[]) {
  const lead = await storeLead(site.db, { message: 'unlike the others' })
  const rows = messages.map((message, index) => ({
    ...lead,
    ...{ id: `many-${String(index).padStart(5, '0')}`, reference: String(index), message },
  }))
  await site.db.transaction().execute(async (transaction) => {
    for (let from = 0; from < rows.length; from += 500) {
      const some = rows.slice(from, from + 500)
      await transaction.insertInto('leads').values(some).execute()
      const texts = some.map((row) => ({ lead_id: row.id, ...searchTextOf(row) }))
      await transaction.insertInto('lead_texts').values(texts).execute()
    }
  })
}

test('a search for rare or common words in thousands of leads finds exactly the leads that contain them', async () => {
  // Every lead has "common", one in two "half", one in 40 "fortieth", and the oldest 200 "oldest".
  const messages = Array.from({ length: 6_000 }, (_, index) =>
    ['common', index % 2 ? 'half' : '', index % 40 ? '' : 'fortieth', index < 200 ? 'oldest' : '']
      .filter(Boolean)
      .join(' '),
  )
  await storeMany(messages)

  for (const search of ['common', 'hal com', 'half oldest', 'fortieth', 'half mon', 'nobody common']) {
    const expected = messages
      .flatMap((message, index) =>
        search.split(' ').every((term) => ` ${message}`.includes(` ${term}`)) ? [String(index)] : [],
      )
      .toReversed()
    expect([search, await findAll(search)]).toEqual([search, expected])
  }
})
