import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerKey, answerTools, bounceReceipt, leadTools } from '../../proof/testing/leads.ts'
import { openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { findPerson } from '../erase/erase-leads.ts'
import { readLeadDetail } from '../lists/read-lead.ts'
import { searchLeads } from '../lists/search-leads.ts'

const site = useTestApp({ sendsReceipts: true, mailTo: [anna] })
const { submit, read, history } = leadTools(site)
const { answer, undo } = answerTools(site)

const post = async (reference: string, to: string) => {
  const browser = await signIn(site, openBrowser(site.app), anna)
  const body = { text: 'Yes', key: answerKey, base: null, version: 0, to }
  return browser.post(`/leads/${reference}/answers`, body)
}
const emails = () => site.db.selectFrom('outbox').select('recipient').where('kind', '=', 'answer').execute()

test.each([
  ['tom@gmail.com', 'tom@gmail.com'],
  ['  tom@gmail.com ', 'tom@gmail.com'],
])(
  'an answer to %j goes there, and the lead keeps the corrected address, with the change in its history',
  async (to, corrected) => {
    const reference = await submit({ email: 'tom@gmial.com' })
    const response = await post(reference, to)
    expect(response.body.version).toBe(1)

    expect(await emails()).toEqual([{ recipient: corrected }])
    expect(await read(reference)).toMatchObject({ email: corrected, version: 1 })
    expect(await history(reference)).toMatchObject([
      { who: anna, what: 'address', from_value: 'tom@gmial.com', to_value: corrected },
      { what: 'answer' },
    ])
  },
)

test('an answer to a corrected address can be repeated; once undone, the lead keeps that address', async () => {
  const reference = await submit({ email: 'tom@gmial.com' })
  for (const _time of [1, 2]) await answer(reference, { to: 'tom@gmail.com', version: 0 })

  await undo(reference, { key: answerKey })
  expect(await read(reference)).toMatchObject({ email: 'tom@gmail.com', state: 'open' })
})

test('after the address was corrected, a bounced receipt no longer casts doubt on it', async () => {
  const reference = await bounceReceipt(site, { email: 'tom@gmial.com' })
  const doubt = async () =>
    (await readLeadDetail(site.db, { reference, owner: anna, now: site.clock.now }))?.addressDoubt
  expect(await doubt()).toMatch('may be wrong')

  await answer(reference, { to: 'tom@gmail.com' })
  expect(await doubt()).toBeNull()
})

test('a lead is found by its corrected address, and erased by either', async () => {
  const reference = await submit({ email: 'tom@gmial.com' })
  await answer(reference, { to: 'tom@gmail.com' })

  const find = async (search: string) => (await searchLeads(site.db, { search })).leads.length
  expect([await find('tom@gmail.com'), await find('tom@gmial.com'), await find('gmial')]).toEqual([1, 0, 0])
  for (const address of ['tom@gmail.com', 'Tom@gmial.com'])
    expect(await findPerson(site.db, address)).toMatchObject({ leads: [{ reference }] })
})
