import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { enqueue, priorities } from '../../outbox/email.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, answerKey as key, leadTools, refuse } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { followUp, markLead, markResult } from '../change/mark-lead.ts'
import { saveDraft } from './drafts.ts'

const SECOND_MS = 1_000

const site = useTestApp({ mailTo: [] })

const { submit, suspect, read, history, drafts } = leadTools(site)

const { rows, deliver } = outboxTools(site)

const { answer } = answerTools(site)

/** The Message-IDs that the answers to an address name, the oldest answer first. */
const referencesTo = async (address: string) =>
  (await rows())
    .filter(({ kind, recipient }) => kind === 'answer' && recipient.toLowerCase() === address)
    .map(({ content }) => JSON.parse(content ?? '').references)

test('answering queues emails to the visitor and the owner, and marks the lead as answered, and a suspect as not spam', async () => {
  const reference = await submit()
  await suspect(reference)
  const sendsAt = new Date(site.clock.now.getTime() + 15 * SECOND_MS).toISOString()
  expect(await answer(reference)).toEqual({ state: 'answered', version: 1, key, sendsAt })

  expect(await rows()).toMatchObject([
    { kind: 'answer', recipient: 'ada@example.com', due_at: sendsAt, priority: priorities.urgent },
    { kind: 'answer_copy', recipient: anna, due_at: sendsAt },
  ])
  expect(await read(reference)).toMatchObject({
    state: 'answered',
    verdict: 'honest',
    answered_at: site.clock.now.toISOString(),
  })
  expect(await history(reference)).toMatchObject([{ who: anna, what: 'answer', text: 'Yes, we can.' }])
})

test('20 requests with the same key queue one answer and get the same response, even after the answer is sent', async () => {
  const reference = await submit()
  const responses = await Promise.all(Array.from({ length: 20 }, () => answer(reference, { version: 0 })))
  site.advanceClock(15 * SECOND_MS)
  await deliver(async () => '250 ok')
  responses.push(await answer(reference, { version: 0 }))

  expect(new Set(responses.map((response) => JSON.stringify(response))).size).toBe(1)
  expect(await rows()).toHaveLength(2)
  expect(await history(reference)).toHaveLength(1)
})

test.each([
  ['text', { text: 'No.' }],
  ['owner', { who: bob }],
  ['address', { to: 'eve@example.com' }],
])('an answer with the key of an earlier answer but a different %s is rejected', async (_what, changes) => {
  const reference = await submit()
  await answer(reference)

  await expect(answer(reference, changes)).rejects.toMatchObject({ code: 'idempotency_conflict' })
})

test('a lead that is marked as spam cannot be answered', async () => {
  const reference = await submit()
  await site.db.updateTable('leads').set({ state: 'spam' }).execute()

  await expect(answer(reference)).rejects.toMatchObject({ code: 'conflict' })
})

test('an answer to a lead that an owner has already decided on does not change that', async () => {
  const reference = await submit()
  await markResult(site.inboxDeps, { reference, version: 0, who: bob, result: 'won' })
  await answer(reference)

  expect(await read(reference)).toMatchObject({ state: 'answered', result: 'won' })
})

test('if 2 owners answer at the same time, only one answer is queued', async () => {
  const reference = await submit()

  const results = await Promise.allSettled([
    answer(reference, { version: 0 }),
    answer(reference, { version: 0, who: bob, key: randomUUID() }),
  ])

  expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  expect(await rows()).toHaveLength(2)
})

test('after an answer fails for good, another with the same key is rejected, but a new key works', async () => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(refuse('550 5.1.1 no'))

  await expect(answer(reference, { version: 0 })).rejects.toMatchObject({
    code: 'conflict',
    message: 'This answer was undone, or did not arrive. Please send it again.',
    facts: { current: { state: 'open', version: 2 } },
  })
  expect(await answer(reference, { key: randomUUID() })).toMatchObject({ state: 'answered', version: 3 })
  expect(await referencesTo('ada@example.com')).toEqual([[], []])
})

test.each(['sent', 'queued', 'failed', 'off'] as const)(
  'all answers to a lead are one conversation if its receipt is %s when the first is written',
  async (state) => {
    const reference = await submit()
    const { id: leadId } = await read(reference)
    const receipt = {
      kind: 'visitor_receipt',
      recipient: 'ada@example.com',
      messageId: '<receipt@x>',
    } as const
    if (state !== 'off') {
      await enqueue(site.db, [{ ...receipt, leadId }], site.clock.now)
      await site.db.updateTable('outbox').set({ state }).execute()
    }
    await answer(reference)
    await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
    await answer(reference, { key: randomUUID() })

    const first = `<${key}.answer@agency.example>`
    const receipts = state === 'sent' ? [receipt.messageId] : []
    expect(await referencesTo('ada@example.com')).toEqual([receipts, [...receipts, first]])
  },
)

test('an answer to somebody else who has written continues and quotes only what was said with that address, in order', async () => {
  const { takeIn, answered, deliver } = mailboxTools(site)
  const { reference, answers } = await answered()
  const toBo = async (key: string, to: string) => {
    await answer(reference, { key, to })
    site.advanceClock(60 * SECOND_MS)
    return `<${key}.answer@agency.example>`
  }
  await takeIn({ answers, from: 'bo@work.example', id: '<bo@x>' })
  await takeIn({ answers, id: '<ada@x>', text: 'Only for Anna' })
  const first = await toBo(randomUUID(), 'Bo@Work.example')
  expect((await read(reference)).state).toBe('answered')
  await takeIn({ from: anna, to: 'bo@work.example', answers, id: '<sent@x>' }, 'sent')
  await takeIn({ from: anna, to: 'ada@example.com', answers, id: '<other@x>' }, 'sent')
  const second = await toBo(randomUUID(), 'bo@work.example')
  await toBo(randomUUID(), 'bo@work.example')

  const before = ['<bo@x>', first, '<sent@x>']
  expect(await referencesTo('bo@work.example')).toEqual([['<bo@x>'], before, [...before, second]])
  expect((await read(reference)).email).toBe('Ada@Example.com')
  const sent = (await deliver()).filter(({ to }) => to.toLowerCase() === 'bo@work.example')
  expect(sent.map(({ text }) => text.includes('Only for Anna'))).toEqual([false, false, false])
})

test('an answer continues no conversation about another request of the same person', async () => {
  const { takeIn, answered } = mailboxTools(site)
  const first = await answered()
  await takeIn({ answers: first.answers, id: '<first@x>' })
  const second = await answered({ message: 'Another request' })

  await answer(second.reference, { key: randomUUID() })

  const [, ofSecond, next] = await referencesTo('ada@example.com')
  for (const id of [first.answers, '<first@x>']) expect(ofSecond).not.toContain(id)
  expect(next).toEqual([...(ofSecond ?? []), second.answers])
})

test('in a long conversation, an answer names the first email and the newest nineteen', async () => {
  const reference = await submit()
  await answer(reference)
  const { id: lead_id } = await read(reference)
  const ids = Array.from({ length: 30 }, (_, index) => `<${index}@x>`)
  const reply = { lead_id, at: '2026-03-02T16:00:00.000Z', who: 'ada@example.com', what: 'reply' } as const
  const replies = ids.map((messageId) => ({ ...reply, received: JSON.stringify({ messageId }) }))
  await site.db.insertInto('lead_events').values(replies).execute()
  await answer(reference, { key: randomUUID() })

  const names = [`<${key}.answer@agency.example>`, ...ids.slice(-19)]
  expect(await referencesTo('ada@example.com')).toEqual([[], names])
})

test('if the mail server rejects an answer for good, the lead is back at the top of the open list with the reason, and the text is a draft again', async () => {
  const [other, reference] = [await submit(), await submit()]
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(`550 5.1.1 <ada@example.com>: no such\r\n user\0${'x'.repeat(300)}`))

  const said = `550 5.1.1 <ada@example.com>: no such user\ufffd${'x'.repeat(300)}`.slice(0, 300)
  const trouble = `Your answer did not arrive: this mailbox does not exist. The mail server said: ${said}`
  const lead = await read(reference)
  expect(lead).toMatchObject({ state: 'open', trouble, answered_at: null, version: 2 })
  expect(lead.sort_key < (await read(other)).sort_key).toBe(true)
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  expect((await history(reference)).at(-1)).toEqual({
    who: 'server',
    what: 'answer_failed',
    from_value: 'answered',
    to_value: 'open',
    text: trouble,
  })
})

test('when a second answer fails, the lead is open at once, and keeps the time of its first answer', async () => {
  const reference = await submit()
  await answer(reference)
  const { answered_at } = await read(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(async () => '250 ok')
  await answer(reference, { key: randomUUID() })
  await followUp(site.inboxDeps, { reference, version: 2, who: bob, at: '2026-03-05T14:00:00.000Z' })
  site.advanceClock(15 * SECOND_MS)
  await deliver(refuse('550 5.1.1 no'))

  expect(await read(reference)).toMatchObject({ state: 'open', answered_at, follow_up_at: null })
})

test('after five days of failed attempts, the lead shows why its answer was not sent', async () => {
  const reference = await submit()
  await answer(reference)
  await site.db.updateTable('outbox').set({ attempts: 100 }).execute()
  site.advanceClock(6 * 24 * 3600 * SECOND_MS)

  await deliver(refuse('451 later'))

  expect((await read(reference)).trouble).toContain(
    'we tried for days, but the mail server did not accept it',
  )
})

test.each([
  ['answered', 'open'],
  ['spam', 'spam'],
] as const)(
  'when an answer fails, a lead marked as %s becomes %s, with the reason, and keeps a newer draft',
  async (state, after) => {
    const reference = await submit()
    await answer(reference)
    const change = { reference, version: 1, who: bob }
    if (state === 'spam') await markLead(site.inboxDeps, { ...change, state })
    else await markResult(site.inboxDeps, { ...change, result: 'won' })
    await saveDraft(site.inboxDeps, { reference, who: anna, version: 2, base: null, text: 'Newer' })
    site.advanceClock(15 * SECOND_MS)

    await deliver(refuse('550 5.1.1 no'))

    expect(await read(reference)).toMatchObject({ state: after, trouble: expect.stringContaining('550') })
    expect((await history(reference)).at(-1)).toMatchObject({ from_value: state, to_value: after })
    expect(await drafts()).toEqual([{ owner: anna, text: 'Newer' }])
  },
)
