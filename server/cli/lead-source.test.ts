import { expect, test } from 'vitest'
import { type LeadRecord, readLeads, toJsonArray, toSpreadsheet } from '../inbox/reads/export-leads.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { readXlsx } from '../proof/testing/read-xlsx.ts'
import { storeLead } from '../proof/testing/store-lead.ts'
import { formatLead } from './format-lead.ts'

const site = useTestApp()

const source = { landing: '/', parameters: { utm_source: 'newsletter', utm_campaign: 'spring' } }
const words = 'newsletter, campaign “spring”'

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const collected: Item[] = []
  for await (const item of items) collected.push(item)
  return collected
}

const textOf = async (format: (leads: AsyncIterable<LeadRecord>) => AsyncIterable<string>) =>
  (await collect(format(readLeads(site.db)))).join('')

test('show and exports say where a lead came from', async () => {
  await storeLead(site.db, { source: JSON.stringify(source) })
  await storeLead(site.db, { source: '{}' })
  const [unknown, known] = await collect(readLeads(site.db))
  if (!known || !unknown) throw new Error('Expected two leads.')

  expect(formatLead(known)).toMatch(`\nSource     ${words}\n`)
  expect(formatLead(unknown)).toMatch('\nSource     -\n')
  expect(readXlsx(Buffer.concat(await collect(toSpreadsheet(readLeads(site.db)))))[2]).toContain(words)
  expect(JSON.parse(await textOf(toJsonArray))).toMatchObject([{ source: {} }, { source }])
})
