import { expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { smallestPlan } from '../proof/testing/sample-plan.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { storeLead } from '../proof/testing/store-lead.ts'
import { countWeeks, formatWeeks } from './lead-stats.ts'

test("a week starts on Monday at midnight in the office's time zone, even around a DST change", async () => {
  await using site = await buildTestApp()
  const times = [
    '2026-03-02T04:59:59Z',
    '2026-03-02T05:00:00Z',
    '2026-03-09T03:59:59Z',
    '2026-03-09T04:00:00Z',
  ]
  for (const time of times) {
    site.clock.now = new Date(time)
    await site.submitLead(sampleRequest({ message: time }), { client: 'c', idempotencyKey: null })
  }

  const weeks = await countWeeks(site.db, new Date('2026-03-15T12:00:00Z'), 3)

  expect(weeks.map(({ week, leads }) => [week, leads])).toEqual([
    ['2026-02-23', 1],
    ['2026-03-02', 2],
    ['2026-03-09', 1],
  ])
})

test('each bar is proportional to the number of leads, and the longest bar fits the terminal', () => {
  const plans = { starter: 100, professional: 50, enterprise: 25, custom: 25, none: 0 }
  const weeks = [
    { week: '2026-03-02', leads: 200, suspects: 3, plans, sources: [{ name: 'Google ad', leads: 3 }] },
    {
      week: '2026-03-09',
      leads: 1,
      suspects: 0,
      plans: { ...plans, starter: 0, professional: 0, enterprise: 0, custom: 0, none: 1 },
      sources: [
        { name: 'search.example', leads: 1 },
        { name: 'Google ad', leads: 2 },
      ],
    },
  ]

  const [, first = '', second = '', , sum, sources, suspects] = formatWeeks(weeks, 59).split('\n')

  expect(first).toBe(`2026-03-02    200  ${'█'.repeat(20)}${'▓'.repeat(10)}${'▒'.repeat(5)}${'░'.repeat(5)}`)
  expect(second).toBe('2026-03-09      1  ·')
  expect(sum).toBe('In 2 weeks: 100 starter, 50 professional, 25 enterprise, 25 custom, 1 none.')
  expect(sources).toBe('By source: 5 Google ad, 1 search.example.')
  expect(suspects).toBe('Not counted: 3 suspects, probably spam. See "leads list --suspects".')
})

test('suspected spam is counted separately', async () => {
  await using site = await buildTestApp()
  const submit = (message: string, isHoneypotFilled: boolean) =>
    site.submitLead(sampleRequest({ message, budget: smallestPlan.id }), {
      client: 'c',
      idempotencyKey: null,
      clues: { isHoneypotFilled, formAgeMs: isHoneypotFilled ? 100 : 60_000 },
    })
  await submit('honest', false)
  await submit('spam', true)

  const weeks = await countWeeks(site.db, site.clock.now, 1)

  expect(weeks).toMatchObject([{ leads: 1, suspects: 1, plans: { starter: 1 } }])
  expect(formatWeeks(weeks, 80)).toMatch(/In 1 week: 1 starter, .*\nNot counted: 1 suspect, probably spam/)
})

test('a lead suspected of being spam counts once an owner has judged it honest, and spam does not count', async () => {
  await using site = await buildTestApp()
  const created_at = site.clock.now.toISOString()
  await storeLead(site.db, { created_at, spam_score: 10, verdict: 'honest' })
  await storeLead(site.db, { created_at, spam_score: 0, verdict: 'spam', state: 'spam' })
  await storeLead(site.db, { created_at, spam_score: 10, verdict: 'spam', state: 'spam' })

  expect(await countWeeks(site.db, site.clock.now, 1)).toMatchObject([{ leads: 1, suspects: 0 }])
})
