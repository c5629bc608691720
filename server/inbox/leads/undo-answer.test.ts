import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools, refuse } from '../../proof/testing/leads.ts'
import { outboxTools } from '../../proof/testing/outbox.ts'
import { followUp, markLead, undoChange } from './change-lead.ts'

const SECOND_MS = 1_000
const site = useTestApp({ mailTo: [] })

const { submit, read, history, drafts } = leadTools(site)
const { rows, deliver } = outboxTools(site)
const { answer, undo } = answerTools(site)

test('after an undo within 15 seconds, nothing is sent, and the lead and the text are restored', async () => {
  const reference = await submit()
  await followUp(site.inboxDeps, { reference, version: 0, who: bob, on: '2026-03-05' })
  const before = await read(reference)
  await answer(reference)
  site.advanceClock(14.9 * SECOND_MS)
  expect(await site.outbox.claim(site.clock.now)).toBeUndefined()
  const asChange = undoChange(site.inboxDeps, { reference, version: 2, who: anna })
  await expect(asChange).rejects.toMatchObject({ message: 'There is nothing to undo.' })

  expect(await undo(reference)).toEqual({ state: 'open', version: 3, text: 'Yes, we can.' })

  expect(await rows()).toEqual([])
  expect(await read(reference)).toEqual({ ...before, version: 3 })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  expect((await history(reference)).at(-1)).toMatchObject({
    what: 'answer_undone',
    from_value: 'answered',
    to_value: 'open',
  })
})

test('undo can be repeated, and the key of an undone answer no longer sends anything', async () => {
  const reference = await submit()
  await answer(reference)
  const undone = await undo(reference, { who: bob })

  expect(await undo(reference, { who: bob })).toEqual(undone)
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
  await expect(answer(reference, { version: 0 })).rejects.toMatchObject({
    message: 'This answer was undone, or did not arrive. Please send it again.',
  })
  expect(await answer(reference, { key: randomUUID() })).toMatchObject({ version: 3 })
})

type Change = { reference: string; version: number; who: string }
test.each<[string, (change: Change) => Promise<unknown>, object]>([
  [
    'answered',
    (change) => followUp(site.inboxDeps, { ...change, on: '2026-03-05' }),
    { follow_up_on: '2026-03-05' },
  ],
  ['won', (change) => markLead(site.inboxDeps, { ...change, state: 'won' }), {}],
  ['spam', (change) => markLead(site.inboxDeps, { ...change, state: 'spam' }), {}],
  [
    'open',
    ({ reference }) => answer(reference, { key: randomUUID() }),
    { answered_at: null, follow_up_on: null },
  ],
])(
  'after an undo, a lead is %s if that is what an owner has decided since the answer',
  async (state, decide, facts) => {
    const reference = await submit()
    await answer(reference)
    await decide({ reference, version: 1, who: bob })

    expect(await undo(reference)).toMatchObject({ state })
    expect(await read(reference)).toMatchObject(facts)
  },
)

test.each([
  ['the answer has been sent', async () => '250 ok'],
  ['the server has tried to send the answer', refuse('451 later')],
])('undo is rejected once %s', async (_what, send) => {
  const reference = await submit()
  await answer(reference)
  site.advanceClock(15 * SECOND_MS)
  await deliver(send)

  await expect(undo(reference)).rejects.toMatchObject({ message: expect.stringMatching(/^It is too late/) })
})

test.each([{ state: 'sending' }, { attempts: 1 }, { due_at: '2026-03-02T16:00:00.000Z' }] as const)(
  'undo is rejected, and deletes nothing, if a worker may have begun to send the answer: %j',
  async (begun) => {
    const reference = await submit()
    await answer(reference)
    await site.db.updateTable('outbox').set(begun).where('kind', '=', 'answer').execute()

    await expect(undo(reference)).rejects.toMatchObject({ code: 'conflict' })
    expect(await rows()).toHaveLength(2)
  },
)

test("undoing an answer that doesn't exist is rejected, even with the key of another lead's answer", async () => {
  const [first, second] = [await submit(), await submit()]
  await answer(first)

  await expect(undo(second)).rejects.toMatchObject({ code: 'not_found' })
  await expect(undo(first, { key: randomUUID() })).rejects.toMatchObject({ code: 'not_found' })
})

const RACES = 60
const CLAIMS = 2
/** Waits a few milliseconds at most, so that sometimes one side of a race starts first, and sometimes the other. */
const start = async (milliseconds: number) => milliseconds > 0 && sleep(milliseconds)

test('in many races between undoing and sending an answer, each answer is either undone or sent, never both', async () => {
  const outcomes = { undone: 0, sent: 0 }

  // If one outcome almost never occurs, the two sides don't really race. On a busy machine, that needs more rounds.
  const isRace = () => Math.min(outcomes.undone, outcomes.sent) > RACES / 15
  for (let round = 0; round < RACES || (!isRace() && round < 5 * RACES); round++) {
    const [reference, key] = [await submit(), randomUUID()]
    await answer(reference, { key })
    site.advanceClock(15_000)
    const undoLater = async () => {
      await start(round % 3)
      return undo(reference, { key })
    }
    const claims = Array.from({ length: CLAIMS }, async () => {
      await start(round % 7)
      return site.outbox.claim(site.clock.now)
    })
    const [[undone], claimed] = await Promise.all([Promise.allSettled([undoLater()]), Promise.all(claims)])

    const emails = claimed.filter((email) => email !== undefined)
    const left = await site.db.selectFrom('outbox').select('id').where('state', '<>', 'sent').execute()
    expect([undone?.status, emails.length > 0, left.length]).toEqual(
      undone?.status === 'fulfilled' ? ['fulfilled', false, 0] : ['rejected', true, 2],
    )
    outcomes[undone?.status === 'fulfilled' ? 'undone' : 'sent']++
    await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  }

  expect(isRace()).toBe(true)
})
