import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { sample } from '#brand/words/drawing.ts'

const plansFile = '#shared/business/plans.ts'

afterEach(() => {
  vi.doUnmock(plansFile)
  vi.resetModules()
})

test('the drawn phone shows the words of the sample site', () => {
  const page = readFileSync(join(import.meta.dirname, 'brand/public', sample.site, 'index.html'), 'utf8')

  for (const text of [sample.name, sample.headline.join(' '), sample.button, sample.call])
    expect(page).toContain(`>${text}<`)
})

test('the text below the headline and the title block show the lowest prices of all plans', async () => {
  const plan = (setup: number, monthly: number, features: string[]) => ({ setup, monthly, features })
  const plans = [plan(1500, 60, ['Fast', 'Local']), plan(900, 75, ['Local', 'Night shift'])]
  vi.resetModules()
  vi.doMock(plansFile, () => ({ plans }))

  const { lead } = await import('#brand/words/hero.ts')
  const { titleBlock } = await import('#brand/words/drawing.ts')

  expect(lead).toContain('From $900 setup and $60 a month')
  expect(titleBlock).toEqual(['From\u00a0$900 setup', 'From\u00a0$60 a\u00a0month', 'Local'])
})
