import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath, formTokenField, honeypotField } from '#shared/contact-request.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import * as honest from '../proof/testing/corpus/honest-messages.ts'
import { requestWith } from '../proof/testing/corpus/senders.ts'
import * as spam from '../proof/testing/corpus/spam-messages.ts'
import { isOnPostgres } from '../proof/testing/open-test-database.ts'
import { isSuspect, scoreSpam } from './spam-score.ts'
import type { FormClues } from './submit-lead.ts'

const clues = {
  normal: { isHoneypotFilled: false, formAgeMs: 90_000 },
  scriptless: { isHoneypotFilled: false, formAgeMs: undefined },
  fast: { isHoneypotFilled: false, formAgeMs: 900 },
  late: { isHoneypotFilled: false, formAgeMs: 30 * 3600_000 },
  withHoneypot: { isHoneypotFilled: true, formAgeMs: 90_000 },
  scriptlessWithHoneypot: { isHoneypotFilled: true, formAgeMs: undefined },
} satisfies Record<string, FormClues>

const marked = (messages: readonly string[], clues: FormClues) =>
  messages.filter((message, number) =>
    isSuspect(scoreSpam(requestWith(message, number), { ...clues, repeats: 0 }).score),
  )
const markedShare = (messages: readonly string[], clues: FormClues) =>
  marked(messages, clues).length / messages.length

test('the corpus is large and has no duplicates', () => {
  const honestMessages = [...honest.tuning, ...honest.holdout]
  const spamMessages = [...spam.tuning, ...spam.holdout]

  expect(new Set(honestMessages).size).toBeGreaterThanOrEqual(250)
  expect(new Set(spamMessages).size).toBeGreaterThanOrEqual(250)
})

test.each(['normal', 'scriptless', 'fast', 'late', 'withHoneypot'] as const)(
  'no honest message is marked as spam (%s)',
  (way) => {
    expect(marked([...honest.tuning, ...honest.holdout, ...honest.unseen], clues[way])).toEqual([])
  },
)

test.each([
  { half: 'tuning', messages: spam.tuning },
  { half: 'held-out', messages: spam.holdout },
])('at least 95 percent of the spam in the $half half is marked', ({ messages }) => {
  expect(markedShare(messages, clues.scriptless)).toBeGreaterThanOrEqual(0.95)
  expect(markedShare(messages, clues.scriptlessWithHoneypot)).toBeGreaterThanOrEqual(0.95)
})

test('at least a fifth of the spam of unseen kinds is marked, and at least half if the honeypot is filled in', () => {
  expect(markedShare(spam.unseen, clues.scriptless)).toBeGreaterThanOrEqual(0.2)
  expect(markedShare(spam.unseen, clues.scriptlessWithHoneypot)).toBeGreaterThanOrEqual(0.5)
})

// Storing the same text does not differ between databases.
test.skipIf(isOnPostgres)(
  'over HTTP, every message is stored, and no honest message is marked as spam',
  async () => {
    await using site = await buildTestApp({ limit: 10_000 })
    const ways = Object.values(clues)
    const send = async (message: string, number: number, { isHoneypotFilled, formAgeMs }: FormClues) => {
      const { now } = site.clock
      const token = formAgeMs === undefined ? '' : site.formTokens.issue(new Date(now.getTime() - formAgeMs))
      const body = {
        ...requestWith(message, number),
        [formTokenField]: token,
        [honeypotField]: isHoneypotFilled ? message : '',
      }
      const response = await request(site.app).post(contactPath).send(body)
      return `${response.status} ${Object.keys(response.body)}`
    }
    const responses = new Set<string>()
    const honestMessages = [...honest.tuning, ...honest.holdout]
    const spamMessages = [...spam.tuning, ...spam.holdout]
    for (const [number, message] of honestMessages.entries())
      responses.add(await send(message, number, ways[number % 5] ?? clues.normal))
    for (const [number, message] of spamMessages.entries())
      responses.add(
        await send(
          message,
          1000 + number,
          [clues.scriptless, clues.scriptlessWithHoneypot][number % 2] ?? clues.normal,
        ),
      )

    expect([...responses]).toEqual(['200 success,reference'])
    const leads = await site.db.selectFrom('leads').select(['message', 'spam_score']).orderBy('id').execute()
    expect(leads.map(({ message }) => message)).toEqual(
      [...honestMessages, ...spamMessages].map((text) => text.normalize('NFC')),
    )
    const suspects = leads.map(({ spam_score }) => isSuspect(spam_score))
    expect(suspects.slice(0, honestMessages.length)).not.toContain(true)
    const caught = suspects.slice(honestMessages.length).filter(Boolean).length
    expect(caught / spamMessages.length).toBeGreaterThanOrEqual(0.95)
    // Within an hour of the test clock, only thirty requests suspected of being spam get an email.
    const withoutEmail = suspects.filter(Boolean).length - 30
    expect(await site.db.selectFrom('outbox').select('id').execute()).toHaveLength(
      leads.length - withoutEmail,
    )
  },
  30_000,
)
