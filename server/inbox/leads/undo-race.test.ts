import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { buildTestApp, isOnPostgres } from '../../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../../proof/testing/leads.ts'
import { answerLead, undoAnswer } from './answer-lead.ts'

vi.setConfig({ testTimeout: 120_000 })
// On PostgreSQL, a race takes six times as long as on SQLite.
const RACES = isOnPostgres ? 80 : 200
const CLAIMS = 2
/** Waits a few milliseconds at most, so that sometimes one side of a race starts first, and sometimes the other. */
const start = async (milliseconds: number) => milliseconds > 0 && sleep(milliseconds)

test('in many races between undoing and sending an answer, each answer is either undone or sent, never both', async () => {
  await using site = await buildTestApp({ mailTo: [] })
  const { submit } = leadTools(site)
  const outcomes = { undone: 0, sent: 0 }

  // If one outcome almost never occurs, the two sides don't really race. On a busy machine, that needs more rounds.
  const isRace = () => Math.min(outcomes.undone, outcomes.sent) > RACES / 20
  for (let round = 0; round < RACES || (!isRace() && round < 5 * RACES); round++) {
    const [reference, key] = [await submit(), randomUUID()]
    await answerLead(site.inboxDeps, { reference, who: anna, version: 0, key, base: null, text: 'Yes' })
    site.advanceClock(15_000)
    const undo = async () => {
      await start(round % 3)
      return undoAnswer(site.inboxDeps, { reference, who: anna, key })
    }
    const claims = Array.from({ length: CLAIMS }, async () => {
      await start(round % 7)
      return site.outbox.claim(site.clock.now)
    })
    const [[undone], claimed] = await Promise.all([Promise.allSettled([undo()]), Promise.all(claims)])

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
