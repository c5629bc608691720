import { expect, test, vi } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { prepared } from './prepared.ts'
import type { Database } from './schema.ts'

const site = useTestApp()

const insert = prepared((db, setting: { name: string; value: string }) =>
  db.insertInto('settings').values(setting),
)

test('a query is built once, and each call uses its own parameters', async () => {
  const build = vi.fn((db: Database, { value }: { value: string }) =>
    db.selectFrom('settings').select('name').where('value', '=', value).where('name', '<>', 'third'),
  )
  const select = prepared(build)
  for (const name of ['first', 'second', 'third']) await insert(site.db, { name, value: `the ${name}` })

  const results = await Promise.all(
    ['the second', 'the first', 'the third'].map((value) => select(site.db, { value })),
  )

  expect(results.map(({ rows }) => rows)).toEqual([[{ name: 'second' }], [{ name: 'first' }], []])
  expect(build).toHaveBeenCalledOnce()
})

test('a query runs in the given transaction', async () => {
  const outcome = site.db.transaction().execute(async (transaction) => {
    await insert(transaction, { name: 'rolled back', value: '' })
    throw new Error('rolled back')
  })

  await expect(outcome).rejects.toThrow('rolled back')
  const { rows } = await prepared((db, { name }: { name: string }) =>
    db.selectFrom('settings').select('value').where('name', '=', name),
  )(site.db, { name: 'rolled back' })
  expect(rows).toEqual([])
})
