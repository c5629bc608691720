import { setImmediate as nextTurn } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../database/schema.ts'
import { DOUBT_EVIDENCE } from './spam-score.ts'
import { tokensOf } from './tokens.ts'
import {
  countTokens,
  judgeWords,
  noWords,
  verdictWeight,
  type WordCounts,
  type WordVerdict,
} from './word-filter.ts'

// These limit how long learning takes: it reads at most 500 messages, of which 250 are judged, too.
const NEWEST_LEADS = 2_000
const NEWEST_OF_EACH = 250

/** The newest messages that owners judged to be spam, or honest. */
const readJudged = (db: Database, judgement: RawBuilder<boolean>) =>
  db
    .selectFrom((leads) =>
      leads.selectFrom('leads').selectAll().orderBy('id', 'desc').limit(NEWEST_LEADS).as('newest'),
    )
    .select('message')
    .where(judgement)
    .limit(NEWEST_OF_EACH)
    .execute()
const judgedSpam = sql<boolean>`verdict = 'spam'`
// A lead without a verdict counts as honest if it was answered. The filter's own guesses don't
// count.
const judgedHonest = sql<boolean>`verdict = 'honest' or (verdict is null and answered_at is not null)`

type Deps = { db: Database; samples: WordCounts }
type Judged = readonly { message: string }[]
export type JudgeMessage = (message: string) => WordVerdict

/**
 * Forgets all words of an honest message if what was learned as spam raises a doubt about it:
 * somebody may have sent fake requests, so that they would be marked as spam.
 */
function forgetDoubt(samples: WordCounts, learned: WordCounts, honest: ReadonlySet<string>) {
  if (judgeWords(samples, learned, honest).learnedEvidence < DOUBT_EVIDENCE) return
  for (const token of honest) learned.tokens.delete(token)
}

/** The word filter, which also learns from the owners' newest verdicts. */
export function createLearnedWords({ db, samples }: Deps) {
  let learned = noWords()

  return {
    judge: (message: string) => judgeWords(samples, learned, tokensOf(message)),

    /**
     * Learns again from the newest verdicts. Call it every few minutes. Counts everything from
     * scratch, so that nothing remains of erased messages.
     */
    async refresh() {
      const [spam, honest] = [await readJudged(db, judgedSpam), await readJudged(db, judgedHonest)]
      const next = noWords()
      const countAll = (isSpam: boolean, judged: Judged) =>
        forEach(judged, (tokens) => {
          const weight = verdictWeight(samples.messages[isSpam ? 0 : 1], judged.length, tokens.size)
          countTokens(next, tokens, isSpam, weight)
        })
      await countAll(true, spam)
      // This comes before the honest messages are counted, because each would otherwise speak for
      // itself.
      await forEach(honest, (tokens) => forgetDoubt(samples, next, tokens))
      await countAll(false, honest)
      learned = next
    },
  }
}

/** Calls `work` with the tokens of each message. Lets other work run before each message. */
async function forEach(judged: Judged, work: (tokens: Set<string>) => void) {
  for (const { message } of judged) {
    await nextTurn()
    work(tokensOf(message))
  }
}
