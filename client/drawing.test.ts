import { afterEach, expect, test, vi } from 'vitest'
import { formatMoney } from '#shared/money.ts'

const plansFile = '#facts/plans.ts'

afterEach(() => {
  vi.doUnmock(plansFile)
  vi.resetModules()
})

test('the title block and the text below the headline show the lowest prices of all plans', async () => {
  const plan = (setup: number, monthly: number, features: string[]) => ({ setup, monthly, features })
  const plans = [plan(1500, 60, ['Fast', 'Local']), plan(900, 75, ['Local', 'Night shift'])]
  vi.resetModules()
  vi.doMock(plansFile, () => ({ plans }))

  const { lead } = await import('#brand/words/hero.ts')
  const { titleBlock } = await import('#brand/words/drawing.ts')

  for (const price of [formatMoney(900), formatMoney(60)]) expect(lead).toContain(price)
  expect(titleBlock).toEqual([
    expect.stringContaining(formatMoney(900)),
    expect.stringContaining(formatMoney(60)),
    'Local',
  ])
})
