import { expect, test } from 'vitest'
import { findConcerns } from './digest-email.ts'
import type { DigestFacts } from './digest-facts.ts'

const noEmails = { waiting: 0, oldestAt: null, givenUp: 0 }
const facts = {
  until: '2026-03-02T15:00:00.000Z',
  givenUp: [],
  freeBytes: null,
  lastBackupAt: '2026-03-02T14:00:00.000Z',
  expiring: 0,
} as unknown as DigestFacts

test('the digest reports leads that LEAD_WEBHOOK_URL does not accept', () => {
  const webhook = { waiting: 2, oldestAt: '2026-03-02T12:00:00.000Z', givenUp: 1 }

  expect(findConcerns({ ...facts, backlog: { ...noEmails, webhook } })).toEqual([
    expect.stringMatching(
      /^2 requests cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for 3 h/,
    ),
    expect.stringMatching(/^The server gave up on posting 1 request to LEAD_WEBHOOK_URL/),
  ])
  expect(findConcerns({ ...facts, backlog: noEmails })).toEqual([])
})
