import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/leads.ts'
import { openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { changeSeveral, type SeveralChange } from './change-several.ts'
import { markLead } from './mark-lead.ts'

const site = useTestApp({ mailTo: [anna, bob] })
const { submit, suspect, read, history } = leadTools(site)

const submitMany = async (count: number) => {
  const references: string[] = []
  for (let index = 0; index < count; index++) references.push(await submit())
  return references
}
const seen = (references: string[], version = 0) => references.map((reference) => ({ reference, version }))
const by = (who: string, change: SeveralChange) => changeSeveral(site.inboxDeps, who, change)

// Whatever an owner decides, there is nothing left to do.
const done = { follow_up_on: null, trouble: null, replied_at: null }
test.each<[string, (leads: SeveralChange['leads']) => SeveralChange, object]>([
  ['answered', (leads) => ({ leads, state: 'answered' }), { state: 'answered', verdict: 'honest', ...done }],
  ['won', (leads) => ({ leads, state: 'won' }), { state: 'won', verdict: 'honest', ...done }],
  ['lost', (leads) => ({ leads, state: 'lost' }), { state: 'lost', verdict: 'honest', ...done }],
  ['spam', (leads) => ({ leads, state: 'spam' }), { state: 'spam', verdict: 'spam', ...done }],
  ['not spam', (leads) => ({ leads, state: 'open' }), { state: 'open', verdict: 'honest' }],
  ['followed up', (leads) => ({ leads, on: '2026-03-05' }), { follow_up_on: '2026-03-05' }],
])(
  'several leads are marked as %s in one request, which one undo reverses',
  async (_what, change, expected) => {
    const references = await submitMany(3)
    for (const reference of references) await suspect(reference)
    const open = {
      trouble: 'No such mailbox.',
      follow_up_on: '2026-03-04',
      replied_at: '2026-03-02T15:00:00.000Z',
    }
    await site.db.updateTable('leads').set(open).execute()
    const before = await Promise.all(references.map(read))

    const { changed, left } = await by(anna, change(seen(references)))
    expect([changed.map(({ reference }) => reference).toSorted(), left]).toEqual([references.toSorted(), []])
    for (const reference of references)
      expect(await read(reference)).toMatchObject({ ...expected, version: 1 })

    expect((await by(bob, { leads: changed })).changed).toHaveLength(3)
    expect(await Promise.all(references.map(read))).toEqual(before.map((lead) => ({ ...lead, version: 2 })))
  },
)

test('leads that another owner has changed or erased meanwhile stay as they are, and are named', async () => {
  const [first = '', second = '', third = ''] = await submitMany(3)
  await markLead(site.inboxDeps, { reference: second, version: 0, who: bob, state: 'won' })

  const { changed, left } = await by(anna, { leads: seen([first, second, third, 'Q-ERASED']), state: 'spam' })

  expect([changed.length, left]).toEqual([2, [second, 'Q-ERASED']])
  expect(await Promise.all([first, second, third].map(read))).toMatchObject(
    ['spam', 'won', 'spam'].map((state) => ({ state })),
  )
})

test('a lead that is already marked so is left alone, and that is no news to anybody', async () => {
  const [lost = '', open = ''] = await submitMany(2)
  await markLead(site.inboxDeps, { reference: lost, version: 0, who: bob, state: 'lost' })

  const leads = [...seen([lost], 1), ...seen([open])]
  expect(await by(anna, { leads, state: 'lost' })).toMatchObject({ changed: [{ reference: open }], left: [] })
})

test('a change and an undo whose responses got lost can be repeated: they change each lead only once', async () => {
  const references = await submitMany(2)
  const repeat = async (change: SeveralChange) => {
    const first = await by(anna, change)
    expect(await by(anna, change)).toEqual(first)
    return first.changed
  }
  const lost = await repeat({ leads: seen(references), state: 'lost' })
  await repeat({ leads: lost })
  await repeat({ leads: seen(references, 2), on: '2026-03-05' })
  const later = { leads: seen(references, 2), on: '2026-03-06' }
  expect(await by(anna, later)).toEqual({ changed: [], left: references })

  for (const reference of references)
    expect((await history(reference)).map(({ what }) => what)).toEqual(['state', 'undone', 'follow_up'])
  expect(await by(bob, { leads: seen(references, 2), on: '2026-03-05' })).toMatchObject({ changed: [] })
  await repeat({ leads: seen(references, 3), state: 'spam' })
})

test('if two owners change overlapping selections at the same time, each lead has one winner, and the other is told', async () => {
  const references = await submitMany(6)
  const [hers, his] = await Promise.all([
    by(anna, { leads: seen(references.slice(0, 4)), state: 'won' }),
    by(bob, { leads: seen(references.slice(2).toReversed()), state: 'lost' }),
  ])

  const changed = [...hers.changed, ...his.changed].map(({ reference }) => reference)
  expect(changed.toSorted()).toEqual(references.toSorted())
  expect([...hers.left, ...his.left].toSorted()).toEqual(references.slice(2, 4).toSorted())
})

test('the addresses for several leads reject invalid bodies and more than 100 leads, and change nothing then', async () => {
  const [reference = ''] = await submitMany(1)
  const { post } = await signIn(site, openBrowser(site.app), anna)
  const tooMany = Array.from({ length: 101 }, () => ({ reference, version: 0 }))
  const bodies = [{}, { leads: [] }, { leads: tooMany }, { leads: [{ reference }] }, { leads: 'x' }]
  for (const name of ['state', 'follow-up', 'undo'])
    for (const body of bodies) {
      const response = await post(`/leads/${name}`, { state: 'won', on: '2026-03-05', ...body })
      expect([name, response.status, response.body.detail]).toEqual([name, 400, expect.stringMatching(/\.$/)])
    }
  const past = { leads: seen([reference]), on: '2026-03-01' }
  expect((await post('/leads/follow-up', past)).status).toBe(400)
  expect(await read(reference)).toMatchObject({ version: 0 })

  const { body } = await post('/leads/state', { leads: seen([reference]), state: 'won' })
  expect(body).toEqual({ changed: [{ reference, state: 'won', version: 1 }], left: [] })
})
