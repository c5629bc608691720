import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import { prepared } from '../../database/prepared.ts'
import type { Database } from '../../database/schema.ts'
import { tokensOf } from './tokens.ts'
import {
  count,
  judgeWords,
  noWords,
  verdictWeight,
  type WordCounts,
  type WordVerdict,
} from './word-filter.ts'

// These limit how long learning takes: it reads a few thousand rows and at most 500 messages.
const NEWEST_EVENTS = 2_000
const NEWEST_OF_EACH = 250
// PostgreSQL may commit a lower id after a higher one, so comparing only the newest id is not enough.
const NEWEST_WATCHED = 50
const WATCH_EVERY_MS = 5_000

/**
 * SQL conditions: whether owners judged a lead to be spam, or honest. A lead without a verdict counts as honest if it was
 * answered. The filter's own guesses don't count.
 */
const isSpam = sql<boolean>`(verdict = 'spam')`
const isHonest = sql<boolean>`(state <> 'spam' and (verdict = 'honest' or (verdict is null and answered_at is not null)))`

const selectJudged = (judgement: typeof isSpam) =>
  prepared((db) =>
    db
      .selectFrom('leads')
      .select('message')
      .where('id', 'in', (leads) =>
        leads
          .selectFrom(
            leads
              .selectFrom('lead_events')
              .select('lead_id')
              .orderBy('id', 'desc')
              .limit(NEWEST_EVENTS)
              .as('newest'),
          )
          .select('lead_id'),
      )
      .where(judgement)
      .orderBy('id', 'desc')
      .limit(NEWEST_OF_EACH),
  )
const selectSpam = selectJudged(isSpam)
const selectHonest = selectJudged(isHonest)

/** Selects rows that change with every verdict, answer and erasure, whichever replica handled it. */
const selectChanges = prepared((db) =>
  db
    .selectFrom(
      db
        .selectFrom('lead_events')
        .select(sql<string>`cast(id as text)`.as('change'))
        .orderBy('id', 'desc')
        .limit(NEWEST_WATCHED)
        .as('newest'),
    )
    .select('change')
    .unionAll(
      db
        .selectFrom('settings')
        .select(sql<string>`'erased ' || value`.as('change'))
        .where('name', '=', 'erased_at'),
    ),
)

type Deps = { db: Database; samples: WordCounts; log: Logger }
export type JudgeMessage = (message: string) => WordVerdict

/** The word filter, which also learns from the owners' newest verdicts. */
export function createLearnedWords({ db, samples, log }: Deps) {
  let learned = noWords()
  let seen: string | undefined
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false

  /** Counts everything from scratch, so that nothing remains of erased messages. Lets other work run before each message. */
  async function learn() {
    const [spam, honest] = [(await selectSpam(db, {})).rows, (await selectHonest(db, {})).rows]
    const next = noWords()
    for (const [isSpam, judged] of [
      [true, spam],
      [false, honest],
    ] as const) {
      const sampled = samples.messages[isSpam ? 0 : 1]
      for (const { message } of judged) {
        if (isStopped) return
        await nextTurn()
        const tokens = tokensOf(message)
        count(next, tokens, isSpam, verdictWeight(sampled, judged.length, tokens.size))
      }
    }
    learned = next
  }

  /** Learns again if owners have judged, answered or erased leads since the last call. */
  async function refresh() {
    const { rows } = await selectChanges(db, {})
    const changes = rows
      .map(({ change }) => change)
      .toSorted()
      .join()
    if (changes === seen) return
    await learn()
    seen = changes
  }

  async function run() {
    try {
      await refresh()
    } catch (err) {
      log.warn({ err }, "the spam filter could not read the owners' verdicts; trying again")
    }
    if (!isStopped)
      timer = setTimeout(() => {
        running = run()
      }, WATCH_EVERY_MS)
  }

  return {
    judge: (message: string) => judgeWords(samples, learned, tokensOf(message)),
    refresh,
    start() {
      running = run()
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
