import { expect, test } from 'vitest'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { atOffice } from '../proof/testing/at-office.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { smallestPlan } from '../proof/testing/sample-plan.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { storeLead } from '../proof/testing/store-lead.ts'
import { countWeeks, formatWeeks } from './lead-stats.ts'

test("a week starts on Monday at midnight in the office's time zone, even around a DST change", async () => {
  await using site = await buildTestApp()
  const times = ['2026-03-01T23:59:59', '2026-03-02T00:00:00', '2026-03-08T23:59:59', '2026-03-09T00:00:00']
  for (const time of times) {
    site.clock.now = atOffice(time)
    await site.submitLead(sampleRequest({ message: time }), { client: 'c', idempotencyKey: null })
  }

  const weeks = await countWeeks(site.db, new Date('2026-03-15T12:00:00Z'), 3)

  expect(weeks.map(({ week, leads }) => [week, leads])).toEqual([
    ['2026-02-23', 1],
    ['2026-03-02', 2],
    ['2026-03-09', 1],
  ])
})

const noLeads = Object.fromEntries([...Object.keys(budgetTiers), 'none'].map((plan) => [plan, 0])) as Record<
  keyof typeof budgetTiers | 'none',
  number
>

test('each bar is proportional to the number of leads, and the longest bar fits the terminal', () => {
  const { id } = smallestPlan
  const plans = { ...noLeads, [id]: 100, custom: 100 }
  const weeks = [
    { week: '2026-03-02', leads: 200, suspects: 3, plans, sources: [{ name: 'Google ad', leads: 3 }] },
    {
      week: '2026-03-09',
      leads: 1,
      suspects: 0,
      plans: { ...noLeads, none: 1 },
      sources: [
        { name: 'search.example', leads: 1 },
        { name: 'Google ad', leads: 2 },
      ],
    },
  ]

  const lines = formatWeeks(weeks, 59).split('\n')
  const [, first = '', second = '', , sum, sources, suspects] = lines

  expect(first).toMatch(/^2026-03-02 {4}200 {2}█{20}([▒░▚▞])\1{19}$/)
  expect(second).toBe('2026-03-09      1  ·')
  expect(sum).toMatch(new RegExp(`^In 2 weeks: 100 ${id}, .*100 custom, 1 none\\.$`))
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

  expect(weeks).toMatchObject([{ leads: 1, suspects: 1, plans: { [smallestPlan.id]: 1 } }])
  expect(formatWeeks(weeks, 80)).toMatch(
    new RegExp(`In 1 week: 1 ${smallestPlan.id}, .*\\nNot counted: 1 suspect, probably spam`),
  )
})

test('a suspect counts as a lead if an owner has judged it honest, and a lead marked as spam is never counted', async () => {
  await using site = await buildTestApp()
  const created_at = site.clock.now.toISOString()
  await storeLead(site.db, { created_at, spam_score: 10, verdict: 'honest' })
  await storeLead(site.db, { created_at, spam_score: 0, verdict: 'spam', state: 'spam' })
  await storeLead(site.db, { created_at, spam_score: 10, verdict: 'spam', state: 'spam' })

  expect(await countWeeks(site.db, site.clock.now, 1)).toMatchObject([{ leads: 1, suspects: 0 }])
})
