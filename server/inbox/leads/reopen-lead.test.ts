import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { saveDraft } from './answer-lead.ts'
import { markLead } from './change-lead.ts'

const SECOND_MS = 1_000
const MINUTE_MS = 60 * SECOND_MS
const site = useTestApp({ mailTo: [] })

const { submit, read, history, drafts } = leadTools(site)
const { deliver } = outboxTools(site)
const { answer } = answerTools(site)

test('if the mail server rejects an answer for good, the lead is back at the top of the open list with the reason, and the text is a draft again', async () => {
  const [other, reference] = [await submit(), await submit()]
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)

  await deliver(refuse(550, '550 5.1.1 <ada@example.com>: no such\r\n user'))

  const trouble =
    'Your answer did not arrive: this mailbox does not exist. The mail server said: 550 5.1.1 <ada@example.com>: no such user'
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

test('after five days of failed attempts, the lead shows why its answer was not sent', async () => {
  const reference = await submit()
  await answer(reference)
  await site.db.updateTable('outbox').set({ attempts: 100 }).execute()
  site.advanceClock(6 * 24 * 60 * MINUTE_MS)

  await deliver(refuse(451, '451 later'))

  expect((await read(reference)).trouble).toContain(
    'we tried for days, but the mail server did not accept it',
  )
})

test.each([
  ['won', 'open'],
  ['spam', 'spam'],
] as const)(
  'when an answer fails, a lead marked as %s becomes %s, with the reason, and keeps a newer draft',
  async (state, after) => {
    const reference = await submit()
    await answer(reference)
    await markLead(site.inboxDeps, { reference, version: 1, who: bob, state })
    await saveDraft(site.inboxDeps, { reference, who: anna, version: 2, base: null, text: 'Newer' })
    site.advanceClock(15 * SECOND_MS)

    await deliver(refuse(550, '550 5.1.1 no'))

    expect(await read(reference)).toMatchObject({ state: after, trouble: expect.stringContaining('550') })
    expect((await history(reference)).at(-1)).toMatchObject({ from_value: state, to_value: after })
    expect(await drafts()).toEqual([{ owner: anna, text: 'Newer' }])
  },
)
