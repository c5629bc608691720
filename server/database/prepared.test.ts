import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { prepared } from './prepared.ts'

const site = useTestApp()

const insert = prepared((db, setting: { name: string; value: string }) =>
  db.insertInto('settings').values(setting),
)

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
