import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createGroupCommit } from '../../database/group-commit.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { findWords, indexAll } from '../../proof/testing/find-words.ts'
import { isOnPostgres } from '../../proof/testing/open-test-database.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'
import { createLeadIndexer } from './index-leads.ts'
import { indexSome } from './index-some.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  lines = []
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

let lines: string[]
const log = pino({}, { write: (line: string) => lines.push(line) })
const submit = async (changes = {}) =>
  (await site.submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null })).reference
const unindexed = async () =>
  (await site.db.selectFrom('leads').select('id').where('is_indexed', '=', 0).execute()).length
const indexed = async () => (await site.db.selectFrom('lead_index').select('number').execute()).length
const indexer = () => createLeadIndexer({ write: createGroupCommit(site.db), log })

test('parts of a name and the beginnings of words in a message find only the lead that contains them', async () => {
  const first = await submit({ firstName: 'Jürgen', message: 'A roof of glass' })
  await submit({ firstName: 'Ada', message: 'A house' })

  await indexAll(site.db)

  expect(await findWords(site.db, 'RGEN glass')).toEqual([first])
  expect(await findWords(site.db, 'gla')).toEqual([first])
  expect(await findWords(site.db, 'lass')).toEqual([])
  expect(await findWords(site.db, first)).toEqual([first])
})

test('the indexer adds the leads stored before it started, and later ones when it is woken', async () => {
  for (let count = 0; count < 70; count++) await submit({ message: `request ${count}` })
  const { start, wake, stop } = indexer()

  start()
  await expect.poll(unindexed).toBe(0)
  await submit({ message: 'one more' })
  wake()
  await expect.poll(unindexed).toBe(0)
  await stop()

  expect(await indexed()).toBe(71)
})

test('the search index numbers the leads from oldest to newest', async () => {
  for (let count = 0; count < 40; count++) await submit({ message: `request ${count}` })

  await indexAll(site.db)

  const leads = await site.db.selectFrom('leads').select('reference').orderBy('id').execute()
  expect(await findWords(site.db, 'request')).toEqual(leads.map(({ reference }) => reference))
})

test('if the indexer fails, the error is logged, and the lead is indexed after the next start', async () => {
  let isBroken = true
  const write = createGroupCommit(site.db)
  const failing: typeof write = (work) => (isBroken ? Promise.reject(new Error('disk full')) : write(work))
  const { start, stop } = createLeadIndexer({ write: failing, log })
  await submit()

  start()
  await expect.poll(() => lines.join()).toContain('could not update the search index, retrying')
  await stop()
  isBroken = false
  const second = createLeadIndexer({ write: failing, log })
  second.start()

  await expect.poll(unindexed).toBe(0)
  await second.stop()
})

test('while leads come in, the indexer pauses for 200 ms after each batch, even if none came in during the batch', async () => {
  let batches = 0
  const write: ReturnType<typeof createGroupCommit> = async <Result>() => {
    batches++
    await sleep(2)
    return 20 as Result
  }
  const { wake, stop } = createLeadIndexer({ write, log })

  const startedAt = performance.now()
  for (let leads = 0; leads < 16; leads++) {
    wake()
    await sleep(50)
  }
  await stop()

  expect(batches).toBeLessThanOrEqual((performance.now() - startedAt) / 200)
})

test('while many visitors wait for a response, indexing waits; it stops immediately with the server', async () => {
  await submit()
  let isCrowded = true
  const isAsked = vi.fn(() => isCrowded)
  const crowded = () => createLeadIndexer({ write: createGroupCommit(site.db), log, isCrowded: isAsked })
  const [first, second] = [crowded(), crowded()]
  first.start()
  await expect.poll(() => isAsked.mock.calls.length).toBeGreaterThan(1)
  await first.stop()
  const unindexedInCrowd = await unindexed()
  second.start()
  isCrowded = false
  await expect.poll(unindexed).toBe(0)
  await second.stop()

  expect(unindexedInCrowd).toBe(1)
})

test('two indexers running at once index each lead once', async () => {
  for (let count = 0; count < 100; count++) await submit({ message: `request ${count}` })
  const both = [indexer(), indexer()]

  for (const { start } of both) start()
  await expect.poll(unindexed).toBe(0)
  await Promise.all(both.map(({ stop }) => stop()))

  expect([await indexed(), lines]).toEqual([100, []])
})

test.each(['a1 ', '東', '𠮷', '\u{1f680}', "a'", '1-', 'İ'])(
  'the longest lead that the form allows, full of %j, is indexed',
  async (text) => {
    const fill = (length: number) =>
      text.repeat(length).slice(0, length).toWellFormed().replaceAll('\ufffd', 'x')
    const long = { lastName: fill(100).trim(), company: fill(200).trim(), message: `${fill(4900)} berlin` }
    const reference = await submit(long)

    await indexAll(site.db)

    expect(await findWords(site.db, 'berlin')).toEqual([reference])
  },
)

test('if leads are long, a batch indexes fewer of them', async () => {
  const words = Array.from({ length: 900 }, (_, index) => `w${index}`).join(' ')
  for (let count = 0; count < 10; count++) await submit({ message: `${count} ${words}` })

  expect(await site.db.transaction().execute(indexSome)).toBe(4)
})

test('erasing a lead removes it from the index', async () => {
  await submit({ message: 'A roof of glass' })
  await indexAll(site.db)

  await site.db.deleteFrom('leads').execute()

  expect(await indexed()).toBe(0)
  if (!isOnPostgres) {
    const { rows } = await sql`select rowid from lead_words where lead_words match 'glass'`.execute(site.db)
    expect(rows).toEqual([])
  }
})
