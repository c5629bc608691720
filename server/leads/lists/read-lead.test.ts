import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { lead as leadSchema } from '#shared/inbox/lead.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, storeLead } from '../../proof/testing/leads.ts'
import { readLeadDetail } from './read-lead.ts'

const reference = 'Q-7K3M-9QXD'
const now = '2026-03-02T15:00:00.000Z'

const site = useTestApp()

const read = async (input: Partial<Parameters<typeof readLeadDetail>[1]> = {}) => {
  const lead = await readLeadDetail(site.db, {
    reference,
    owner: anna,
    now: new Date(now),
    ...input,
  })
  return leadSchema.parse(lead)
}

test('undo is offered only to the owner who wrote the answer, and only until the first attempt to send it', async () => {
  await storeLead(site.db, { reference })
  expect(await read()).toMatchObject({ pendingAnswer: null, template: expect.stringContaining('Thank you') })

  const { key, sendsAt } = await answerTools(site).answer(reference)
  // Only the first answer thanks, also if the visitor has written again.
  await site.db.updateTable('leads').set({ state: 'open' }).execute()
  const answered = await read()
  expect(answered.pendingAnswer).toEqual({ key, sendsAt })
  expect(answered.template).not.toContain('Thank you')
  const newer = { key: randomUUID() }
  await answerTools(site).answer(reference, newer)
  expect((await read()).pendingAnswer).toMatchObject(newer)
  expect((await read({ owner: 'ben@agency.example' })).pendingAnswer).toBeNull()

  await site.db.updateTable('outbox').set({ attempts: 1, state: 'sending' }).execute()
  expect((await read()).pendingAnswer).toBeNull()
})

test('an undo names the answer that it undoes, also if that is not the newest', async () => {
  await storeLead(site.db, { reference })
  const { answer, undo } = answerTools(site)
  await answer(reference)
  await answer(reference, { key: randomUUID() })
  await undo(reference)

  const { events } = await read()
  expect(events.map(({ undoes }) => undoes)).toEqual([null, null, events[0]?.id])
})

test('a lead names the other requests from its address, however that is spelled', async () => {
  await storeLead(site.db, { reference })
  for (const email of ['ADA@example.com', 'zoe@example.com', 'ada@Example.com'])
    await storeLead(site.db, { reference: email, email })

  const { others } = await read()
  expect(others.map((other) => other.reference)).toEqual(['ada@Example.com', 'ADA@example.com'])
})
