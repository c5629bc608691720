import { afterEach, beforeEach, expect, test } from 'vitest'
import { PAGE_SIZE } from '#shared/inbox/lead.ts'
import { addToIndex } from '../../database/search-index.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { storeIndexed } from '../../proof/testing/store-lead.ts'
import { readCursor } from './cursor.ts'
import { searchLeads } from './search-leads.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

/** The references that a search finds. */
async function find(search: string) {
  const { leads } = await searchLeads(site.db, { search, before: undefined })
  return leads.map(({ reference }) => reference)
}

/** The references on all pages of a search. */
async function findAll(search: string) {
  const found: string[] = []
  for (let before: number | undefined; ; ) {
    const page = await searchLeads(site.db, { search, before })
    found.push(...page.leads.map(({ reference }) => reference))
    if (!page.next) return found
    before = Number(readCursor(page.next)?.[0])
  }
}

test.each(['Muller', 'Mueller', 'Müller', 'uelle'])('"%s" finds Müller', async (search) => {
  await storeIndexed(site.db, { reference: 'Q-7K3M-9QXD', last_name: 'Müller' }, { last_name: 'Miller' })

  expect(await find(search)).toEqual(['Q-7K3M-9QXD'])
})

test.each([
  'lovelace',
  'LOVE',
  'velace',
  'Ada Roofing',
  'ada@example.com',
  '555-0199',
  '+1 (312) 555-0199',
  'Q-7K3M-9QXD',
  'q7k3m9qxd',
  '7k3m-9qxd',
  'start',
])('"%s" finds the lead', async (search) => {
  await storeIndexed(
    site.db,
    { reference: 'Q-7K3M-9QXD' },
    {
      reference: 'Q-0000-0000',
      first_name: 'Bob',
      last_name: 'Berg',
      email: 'b@b.example',
      phone: '',
      company: '',
      website: '',
      message: 'Hello.',
    },
  )

  expect(await find(search)).toEqual(['Q-7K3M-9QXD'])
})

test.each([
  'lovelace berg',
  'nobody',
  '-',
  '',
  "' or 1=1 --",
  '" OR *',
  'NEAR(ada love)',
  'words : ada',
  '\0',
  '🙂',
])('"%s" finds nothing and breaks nothing', async (search) => {
  await storeIndexed(site.db, {}, { first_name: 'Bob', last_name: 'Berg', email: 'b@b.example' })

  expect(await find(search)).toEqual([])
})

test('the newest match comes first, unless the search is the reference of an older lead', async () => {
  await storeIndexed(
    site.db,
    { reference: 'Q-1111-1111' },
    { reference: 'Q-2222-2222', message: 'About q-1111-1111 q11111111.' },
    { reference: 'Q-3333-3333', message: 'About q-1111-1111 q11111111.' },
  )

  expect(await find('ada')).toEqual(['Q-3333-3333', 'Q-2222-2222', 'Q-1111-1111'])
  expect((await find('Q-1111-1111'))[0]).toBe('Q-1111-1111')
})

test('each match is on exactly one page', async () => {
  const references = Array.from({ length: 2 * PAGE_SIZE + 1 }, (_, index) => `Q-0000-${1000 + index}`)
  await storeIndexed(site.db, ...references.map((reference) => ({ reference })))

  const { next } = await searchLeads(site.db, { search: 'ada', before: undefined })
  expect(next).not.toBeNull()
  expect(await findAll('ada')).toEqual(references.toReversed())
})

test('a search for rare or common words in thousands of leads finds exactly the leads that contain them', async () => {
  // Every lead has "common", one in two "half", one in 40 "fortieth", and the oldest 200 "oldest".
  const total = 5_000
  const messageOf = (index: number) =>
    ['common', index % 2 ? 'half' : '', index % 40 ? '' : 'fortieth', index < 200 ? 'oldest' : '']
      .filter(Boolean)
      .join(' ')
  const messages = Array.from({ length: total }, (_, index) => messageOf(index))
  const [lead] = await storeIndexed(site.db, { message: 'unlike the others' })
  const rows = messages.map((message, index) => ({
    ...lead,
    ...{ id: `many-${String(index).padStart(5, '0')}`, reference: String(index), message },
  }))
  for (let from = 0; from < total; from += 500)
    await site.db.transaction().execute(async (transaction) => {
      const some = rows.slice(from, from + 500)
      await transaction
        .insertInto('leads')
        .values(some as never)
        .execute()
      await addToIndex(
        transaction,
        some.map(({ id, message }) => ({ id, words: message })),
      )
    })

  for (const search of [
    'common',
    'half',
    'hal com',
    'oldest',
    'oldest common',
    'half oldest',
    'fortieth',
    'forti half',
    'fortieth oldest common',
    'half mon',
    'nobody common',
  ]) {
    const expected = messages
      .flatMap((message, index) =>
        search.split(' ').every((term) => ` ${message}`.includes(` ${term}`)) ? [String(index)] : [],
      )
      .toReversed()
    expect([search, await findAll(search)]).toEqual([search, expected])
  }
})

test('a search says whether some leads are not in the search index yet', async () => {
  const isPartial = async () => (await searchLeads(site.db, { search: 'ada', before: undefined })).isPartial
  await storeIndexed(site.db, {})
  expect(await isPartial()).toBe(false)

  await site.db.updateTable('leads').set({ is_indexed: 0 }).execute()

  expect(await isPartial()).toBe(true)
})
