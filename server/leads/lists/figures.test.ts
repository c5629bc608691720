import { expect, test } from 'vitest'
import { figures as figuresSchema } from '#shared/inbox/api.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, atOffice, storeLead, storeLeads } from '../../proof/testing/leads.ts'
import { samplePlan } from '../../proof/testing/sample-plan.ts'
import { markResult } from '../change/mark-lead.ts'
import { readFigures } from './figures.ts'

// A Sunday.
const now = new Date('2026-03-15T15:00:00.000Z')

const site = useTestApp()

const store = (changes: Parameters<typeof storeLead>[1] = {}) => storeLead(site.db, changes)
const read = async () => figuresSchema.parse(await readFigures(site.db, now))

test('the figures cover twelve weeks, oldest first; each begins on Monday in the office time zone', async () => {
  // If the office is in New York, daylight saving time begins on March 8, so that day has only 23
  // hours.
  const sundays = ['2025-12-28', '2026-03-08', '2026-03-15'].map((day) => `${day}T23:59:59.999`)
  for (const created_at of [...sundays, '2026-03-09T00:00', '2026-03-16T00:00'])
    await store({ created_at: atOffice(created_at).toISOString() })

  const { weeks } = await read()

  expect(weeks).toHaveLength(12)
  expect(weeks[0]?.week).toBe('2025-12-22')
  expect(weeks.filter(({ leads }) => leads > 0).map(({ week, leads }) => [week, leads])).toEqual([
    ['2025-12-22', 1],
    ['2026-03-02', 1],
    ['2026-03-09', 2],
  ])
})

test('on Sunday evening at the office, the last week is the one that ends', async () => {
  const { weeks } = await readFigures(site.db, atOffice('2026-03-15T23:59'))

  expect(weeks.at(-1)?.week).toBe('2026-03-09')
})

test('the figures of a week include the number of answers, how many were on time, and the median time to answer', async () => {
  const created_at = '2026-03-09T14:00:00.000Z'
  // The visitor has written again since, so that the lead has a later due time.
  const lead = { created_at, first_due_at: '2026-03-09T18:00:00.000Z', due_at: '2026-03-10T18:00:00.000Z' }
  for (const answered_at of ['14:10', '14:20', '18:00', '20:00'])
    await store({ ...lead, result: 'won', answered_at: `2026-03-09T${answered_at}:00.000Z` })
  await store(lead)
  // It needed no answer.
  await store({ ...lead, state: 'answered' })

  expect((await read()).weeks.at(-1)).toEqual({
    week: '2026-03-09',
    leads: 6,
    due: 5,
    answered: 4,
    onTime: 3,
    medianMinutesToAnswer: 130,
  })
})

test('the time to answer counts office hours only, and a call or a decision counts as an answer', async () => {
  const created_at = atOffice('2026-03-13T17:00').toISOString()
  const due_at = atOffice('2026-03-16T12:00').toISOString()
  const lead = { created_at, due_at }
  await store({ ...lead, state: 'answered', answered_at: atOffice('2026-03-15T12:00').toISOString() })
  const { reference = '' } = await store({ ...lead, reference: 'Q-4HTW-2ZPK' })
  site.clock.now = atOffice('2026-03-13T17:30')
  await markResult(site.inboxDeps, { reference, version: 0, who: anna, result: 'lost' })

  expect((await read()).weeks.at(-1)).toMatchObject({
    due: 2,
    answered: 2,
    onTime: 2,
    medianMinutesToAnswer: 45,
  })
})

test('all leads of a week are counted, even if thousands came at once', async () => {
  await storeLeads(site.db, ...Array(1_001).fill({ created_at: '2026-03-09T14:00:00.000Z' }))

  expect((await read()).weeks.at(-1)?.leads).toBe(1_001)
})

test('spam and suspected spam are not counted, unless an owner has said that they are not spam', async () => {
  const created_at = '2026-03-09T14:00:00.000Z'
  await store({ created_at, spam_score: 10 })
  await store({ created_at, state: 'spam' })
  await store({ created_at, spam_score: 10, verdict: 'honest' })
  await store({ created_at, spam_score: 10, state: 'answered' })

  expect((await read()).weeks.at(-1)?.leads).toBe(2)
})

test('plans and sources are sorted by their number of leads, with those won and lost, and rare sources are combined', async () => {
  const created_at = '2026-03-09T14:00:00.000Z'
  const landings = ['/', '/pricing', '/contact'].map((landing) => JSON.stringify({ landing }))
  const sources = ['{}', '{}', '{"referrer":"search.example"}', '{"parameters":{"gclid":"1"}}', ...landings]
  for (const source of sources) await store({ created_at, source, budget: '', result: 'won' })
  for (let count = 113; count >= 100; count--)
    for (const fbclid of ['one', 'two']) {
      const source = JSON.stringify({ parameters: { utm_source: `campaign ${count}`, fbclid } })
      await store({
        created_at,
        source,
        state: 'answered',
        result: 'lost',
        budget: fbclid === 'one' ? 'custom' : samplePlan.id,
      })
    }

  const { plans, sources: named } = await read()

  expect(plans).toHaveLength(3)
  expect(plans).toContainEqual({ name: samplePlan.name, leads: 14, won: 0, lost: 14 })
  expect(plans).toContainEqual({ name: 'Custom', leads: 14, won: 0, lost: 14 })
  expect(plans.at(-1)).toEqual({ name: 'No plan chosen', leads: 7, won: 7, lost: 0 })
  expect(named.slice(0, 2)).toEqual([
    { name: 'Typed in or bookmarked', leads: 3, won: 3, lost: 0 },
    { name: 'campaign 100', leads: 2, won: 0, lost: 2 },
  ])
  expect(named.at(-1)).toEqual({ name: 'Other', leads: 8, won: 2, lost: 6 })
})
