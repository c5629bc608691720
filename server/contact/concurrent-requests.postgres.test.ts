import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGroupCommit } from '../database/group-commit.ts'
import { connect } from '../database/postgres.ts'
import type { Database } from '../database/schema.ts'
import { unknownSender, useTestApp } from '../proof/testing/build-test-app.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createSubmitLead } from './submit-lead.ts'

const site = useTestApp()
let other: Database
beforeEach(async () => {
  other = connect(String(site.env.DATABASE_URL), 'visitor')
})
afterEach(async () => {
  await other.destroy()
})

/** A replica that sends receipts, so that requests compete for every kind of lock. */
const replica = (db: Database, CONTACT_LIMIT = 1_000) =>
  createSubmitLead({
    ...site.context,
    env: { ...site.context.env, VISITOR_RECEIPT: 'on', CONTACT_LIMIT },
    write: createGroupCommit(db),
    budget: site.budget,
    judgeMessage: site.judgeMessage,
    replyDueAt: () => site.clock.now,
    onStored: () => {},
  })

const stored = async () => {
  const rows = await site.db.selectFrom('leads').select('message').orderBy('message').execute()
  return rows.map(({ message }) => message)
}

test('replicas whose requests share clients, contents, mailboxes and keys never deadlock', async () => {
  const replicas = [replica(site.db), replica(other)]
  const submit = (index: number) => {
    const request = sampleRequest({ message: `${index % 4}`, email: `${index % 3}@example.com` })
    // Requests with the same key must have the same content: otherwise, they would conflict.
    const idempotencyKey = index % 5 === 0 ? `${index % 4} ${index % 3}` : null
    return replicas[index % 2]?.(request, { ...unknownSender, client: `${index % 7}`, idempotencyKey })
  }

  const outcomes: unknown[] = []
  // If all 96 came at once to a busy machine, some would wait for a connection for longer than a
  // visitor may.
  for (const first of [0, 24, 48, 72]) {
    const submissions = Array.from({ length: 24 }, (_, index) => submit(first + index))
    outcomes.push(...(await Promise.all(submissions)).map((submission) => submission?.outcome))
  }

  expect(outcomes.filter((outcome) => outcome === 'accepted').length).toBe((await stored()).length)
  expect(new Set(outcomes)).toEqual(new Set(['accepted', 'duplicate', 'replayed']))
})

test('the limit of a client applies across replicas', async () => {
  const replicas = [replica(site.db, 5), replica(other, 5)]

  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, index) =>
      replicas[index % 2]?.(sampleRequest({ message: `${index}` }), unknownSender),
    ),
  )

  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  expect(await stored()).toHaveLength(5)
})

test('if PostgreSQL rejects one of several concurrent requests, the others are stored', async () => {
  const submit = replica(site.db)
  const messages = ['1', '2', 'NUL \0', '3', '4']

  const outcomes = await Promise.allSettled(
    messages.map((message) =>
      submit(sampleRequest({ message }), { ...unknownSender, client: message.slice(0, 3) }),
    ),
  )

  const rejected = outcomes.map(({ status }) => status === 'rejected')
  expect(rejected).toEqual([false, false, true, false, false])
  expect(await stored()).toEqual(['1', '2', '3', '4'])
})
