import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/leads.ts'
import { openBrowser, signIn } from '../../proof/testing/owner-browser.ts'
import { type ChangeName, changeSeveral } from './change-several.ts'
import { markLead, markResult } from './mark-lead.ts'

const site = useTestApp({ mailTo: [anna, bob] })
const { submit, suspect, read, history } = leadTools(site)

const submitMany = async (count: number) => {
  const references: string[] = []
  for (let index = 0; index < count; index++) references.push(await submit())
  return references
}
const seen = (references: string[], version = 0) => references.map((reference) => ({ reference, version }))
type SeveralChange = { what: ChangeName } & Omit<Parameters<typeof changeSeveral>[2], 'who'>
const by = (who: string, { what, ...change }: SeveralChange) =>
  changeSeveral(site.inboxDeps, what, { ...change, who })

// Whatever an owner decides, there is nothing left to do.
const done = { follow_up_at: null, trouble: null, replied_at: null }
const answered = { state: 'answered', verdict: 'honest', ...done }
const then = '2026-03-05T14:00:00.000Z'
test.each<[string, (leads: SeveralChange['leads']) => SeveralChange, object]>([
  ['answered', (leads) => ({ what: 'state', leads, state: 'answered' }), answered],
  ['won', (leads) => ({ what: 'result', leads, result: 'won' }), { ...answered, result: 'won' }],
  ['lost', (leads) => ({ what: 'result', leads, result: 'lost' }), { ...answered, result: 'lost' }],
  ['spam', (leads) => ({ what: 'state', leads, state: 'spam' }), { state: 'spam', verdict: 'spam', ...done }],
  ['not spam', (leads) => ({ what: 'state', leads, state: 'open' }), { state: 'open', verdict: 'honest' }],
  ['followed up', (leads) => ({ what: 'follow-up', leads, at: then }), { follow_up_at: then }],
])(
  'several leads are marked as %s in one request, which one undo reverses',
  async (_what, change, expected) => {
    const references = await submitMany(3)
    for (const reference of references) await suspect(reference)
    const open = {
      trouble: 'No such mailbox.',
      follow_up_at: '2026-03-04T14:00:00.000Z',
      replied_at: '2026-03-02T15:00:00.000Z',
    }
    await site.db.updateTable('leads').set(open).execute()
    const before = await Promise.all(references.map(read))

    const { changed, left } = await by(anna, change(seen(references)))
    expect([changed.map(({ reference }) => reference).toSorted(), left]).toEqual([references.toSorted(), []])
    for (const reference of references)
      expect(await read(reference)).toMatchObject({ ...expected, version: 1 })

    expect((await by(bob, { what: 'undo', leads: changed })).changed).toHaveLength(3)
    expect(await Promise.all(references.map(read))).toEqual(before.map((lead) => ({ ...lead, version: 2 })))
  },
)

test('leads that another owner has changed or erased meanwhile stay as they are, and are named', async () => {
  const [first = '', second = '', third = ''] = await submitMany(3)
  await markLead(site.inboxDeps, { reference: second, version: 0, who: bob, state: 'answered' })

  const leads = seen([first, second, third, 'Q-ERASED'])
  const { changed, left } = await by(anna, { what: 'state', leads, state: 'spam' })

  expect([changed.length, left]).toEqual([2, [second, 'Q-ERASED']])
  expect(await Promise.all([first, second, third].map(read))).toMatchObject(
    ['spam', 'answered', 'spam'].map((state) => ({ state })),
  )
})

test('a lead that is already marked so is left alone, and that is no news to anybody', async () => {
  const [lost = '', open = ''] = await submitMany(2)
  await markResult(site.inboxDeps, { reference: lost, version: 0, who: bob, result: 'lost' })

  const leads = [...seen([lost], 1), ...seen([open])]
  const { changed, left } = await by(anna, { what: 'result', leads, result: 'lost' })
  expect({ changed, left }).toMatchObject({ changed: [{ reference: open }], left: [] })
})

test('a change and an undo whose responses got lost can be repeated: they change each lead only once', async () => {
  const references = await submitMany(2)
  const repeat = async (change: SeveralChange) => {
    const first = await by(anna, change)
    expect(await by(anna, change)).toEqual(first)
    return first.changed
  }
  const lost = await repeat({ what: 'result', leads: seen(references), result: 'lost' })
  await repeat({ what: 'undo', leads: lost })
  const followUp = { what: 'follow-up', leads: seen(references, 2), at: '2026-03-05T09:00:00-05:00' } as const
  await repeat(followUp)
  const later = { ...followUp, at: '2026-03-06T14:00:00.000Z' }
  expect(await by(anna, later)).toEqual({ changed: [], left: references })

  for (const reference of references)
    expect((await history(reference)).map(({ what }) => what)).toEqual(['result', 'undone', 'follow_up'])
  expect(await by(bob, followUp)).toMatchObject({ changed: [] })
  await repeat({ what: 'nothing-to-answer', leads: seen(references, 3) })
  await repeat({ what: 'state', leads: seen(references, 4), state: 'spam' })
})

test('a change with another note than the stored one, such as from another device, is no repetition', async () => {
  const [reference = ''] = await submitMany(1)
  const leads = seen([reference])
  const followUp = { what: 'follow-up', leads, at: then, note: 'Voicemail.' } as const
  const call = (note: string) => ({ at: site.clock.now.toJSON(), by: 'phone', note }) as const
  const answered = { what: 'state', leads: seen([reference], 1), state: 'answered' } as const
  for (const [change, another] of [
    [followUp, { ...followUp, note: 'Busy.' }],
    [
      { ...answered, answered: call('She wants a shop.') },
      { ...answered, answered: call('Send the quote.') },
    ],
  ] as const) {
    const stored = await by(anna, change)
    expect(await by(anna, change)).toEqual(stored)
    expect(await by(anna, another)).toEqual({ changed: [], left: [reference] })
  }
})

test('if two owners change overlapping selections at the same time, each lead has one winner, and the other is told', async () => {
  const references = await submitMany(6)
  const [hers, his] = await Promise.all([
    by(anna, { what: 'state', leads: seen(references.slice(0, 4)), state: 'answered' }),
    by(bob, { what: 'state', leads: seen(references.slice(2).toReversed()), state: 'spam' }),
  ])

  const changed = [...hers.changed, ...his.changed].map(({ reference }) => reference)
  expect(changed.toSorted()).toEqual(references.toSorted())
  expect([...hers.left, ...his.left].toSorted()).toEqual(references.slice(2, 4).toSorted())
})

test('the addresses for changes reject invalid bodies and more than 100 leads, and change nothing then', async () => {
  const [reference = ''] = await submitMany(1)
  const { post } = await signIn(site, openBrowser(site.app), anna)
  const tooMany = Array.from({ length: 101 }, () => ({ reference, version: 0 }))
  const bodies = [{}, { leads: [] }, { leads: tooMany }, { leads: [{ reference }] }, { leads: 'x' }]
  for (const name of ['state', 'result', 'nothing-to-answer', 'follow-up', 'undo'])
    for (const body of bodies) {
      const response = await post(`/leads/${name}`, { state: 'answered', result: 'won', at: then, ...body })
      expect([name, response.status, response.body.detail]).toEqual([name, 400, expect.stringMatching(/\.$/)])
    }
  const past = { leads: seen([reference]), at: '2026-03-01T14:00:00.000Z' }
  expect((await post('/leads/follow-up', past)).status).toBe(400)
  expect(await read(reference)).toMatchObject({ version: 0 })

  const { body } = await post('/leads/result', { leads: seen([reference]), result: 'won' })
  expect(body).toEqual({ changed: [{ reference, state: 'answered', version: 1 }], left: [] })
})
