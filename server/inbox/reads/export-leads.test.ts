import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { claimEmail } from '../../proof/testing/outbox.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'
import { type LeadFilter, readLeads } from './export-leads.ts'

const DAY_MS = 24 * 60 * 60 * 1000

const site = useTestApp()

/** Submits a lead one day after the previous one. */
async function submit(changes = {}) {
  site.advanceClock(DAY_MS)
  return site.submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null })
}
async function messages(filter: LeadFilter = {}, pageSize?: number) {
  const found = []
  for await (const { message } of readLeads(site.db, filter, pageSize)) found.push(message)
  return found
}

test('every lead is read once, newest first, with any page size', async () => {
  for (const message of ['1', '2', '3', '4', '5']) {
    await submit({ message })
    // Only ids from different milliseconds sort by time.
    await sleep(2)
  }
  await site.db.updateTable('leads').set({ created_at: site.clock.now.toISOString() }).execute()

  for (const pageSize of [1, 2, 5, 6])
    expect(await messages({}, pageSize), `pages of ${pageSize}`).toEqual(['5', '4', '3', '2', '1'])
})

test('leads are filtered by the state of their emails and by day', async () => {
  for (const message of ['waiting', 'sent', 'given up']) await submit({ message })
  for (const outcome of ['failed', 'sent'] as const) {
    const job = await claimEmail(site)
    await site.outbox.record(job, site.clock.now, outcome, { smtpCode: 250, response: 'ok' })
  }

  expect(await messages({ mail: 'failed' })).toEqual(['given up'])
  expect(await messages({ mail: 'delivered' })).toEqual(['sent'])
  expect(await messages({ mail: 'waiting' })).toEqual(['waiting'])
  expect(await messages({ since: site.clock.now })).toEqual(['given up'])
  expect(await messages({ since: new Date(site.clock.now.getTime() + 1) })).toEqual([])
})
