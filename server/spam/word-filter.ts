type Counts = [spam: number, honest: number]
/** How many spam messages and honest messages there are, in total and with each token. */
export type WordCounts = { messages: Counts; tokens: Map<string, Counts> }

/**
 * How much a message looks like spam, as the logarithm of the odds. Below zero, it looks honest.
 * `evidence` comes from the samples, and only honest verdicts can lower it. `learnedEvidence` also
 * counts what owners have marked as spam. `words` are the reasons to show to an owner.
 */
export type WordVerdict = { evidence: number; learnedEvidence: number; words: string[] }

// The weight, in messages, of the assumption that a token is as common in spam as in honest
// messages. Chosen by cross-validation.
const NEUTRAL_MESSAGES = 8
// The weight of a verdict, in sample messages: after two or three verdicts of "spam", similar
// messages are in doubt.
const VERDICT_WEIGHT = 4
// Nine out of ten sample messages have fewer tokens. Verdicts about longer messages count less,
// because longer spam is often padded with honest words to mislead filters.
const MANY_TOKENS = 100
const MAX_REASONS = 3
// If more than this share of the honest messages contain a word, such as "your", it explains
// nothing to an owner.
const MAX_COMMON_SHARE = 0.03
// Matches tokens that mean something to an owner: single words of at least four letters, but not
// placeholders for numbers or links.
const isReadable = /^[^A-Z?!$€% ]{4,40}$/

export const noWords = (): WordCounts => ({ messages: [0, 0], tokens: new Map() })

/** Counts the tokens of a message, `weight` times. */
export function countTokens(counts: WordCounts, tokens: ReadonlySet<string>, isSpam: boolean, weight = 1) {
  const index = isSpam ? 0 : 1
  counts.messages[index] += weight
  for (const token of tokens) {
    const seen = counts.tokens.get(token) ?? [0, 0]
    seen[index] += weight
    counts.tokens.set(token, seen)
  }
}

/**
 * The weight of a verdict about a message with this many tokens. All verdicts together weigh at
 * most a quarter of the samples, so that many verdicts about one kind don't make the filter forget
 * the other kinds.
 */
export const verdictWeight = (samples: number, verdicts: number, tokens: number): number =>
  Math.min(VERDICT_WEIGHT, samples / 4 / Math.max(verdicts, 1)) * Math.min(1, MANY_TOKENS / tokens)

/**
 * Judges a message by its words, with a naive Bayes classifier and Gary Robinson's correction: a
 * token that is rare in the samples says little. `learned` has the words from owners' verdicts.
 */
export function judgeWords(
  samples: WordCounts,
  learned: WordCounts,
  tokens: ReadonlySet<string>,
): WordVerdict {
  const [spamMessages, sampledHonestMessages] = samples.messages
  const honestMessages = sampledHonestMessages + learned.messages[1]
  const withHonest: Counts = [spamMessages, honestMessages]
  const withAll: Counts = [spamMessages + learned.messages[0], honestMessages]
  // The evidence by the samples alone, with what owners judged honest, and with all verdicts.
  const evidence = { sampled: 0, withHonest: 0, withAll: 0 }
  const reasons: { token: string; weight: number }[] = []
  for (const token of tokens) {
    const sampled = samples.tokens.get(token)
    const verdicts = learned.tokens.get(token)
    if (!sampled && !verdicts) continue
    const [spam, sampledHonest] = sampled ?? [0, 0]
    const [learnedSpam, learnedHonest] = verdicts ?? [0, 0]
    const honest = sampledHonest + learnedHonest
    const weight = weigh([spam + learnedSpam, honest], withAll)
    evidence.sampled += weigh([spam, sampledHonest], samples.messages)
    evidence.withHonest += weigh([spam, honest], withHonest)
    evidence.withAll += weight
    if (weight > 0 && honest / honestMessages < MAX_COMMON_SHARE && isReadable.test(token))
      reasons.push({ token, weight })
  }
  const strongest = reasons.toSorted((a, b) => b.weight - a.weight).slice(0, MAX_REASONS)
  return {
    // Honest verdicts make other words less common in honest messages. This must not raise the
    // evidence of other messages.
    evidence: Math.min(evidence.sampled, evidence.withHonest),
    learnedEvidence: evidence.withAll,
    words: strongest.map(({ token }) => token),
  }
}

/** The evidence of a token that is in so many of these messages. */
function weigh([spam, honest]: Counts, [spamMessages, honestMessages]: Counts): number {
  const seen = spam + honest
  if (seen === 0) return 0
  const spamShare = spam / spamMessages
  const isSpam = spamShare / (spamShare + honest / honestMessages)
  const likely = (NEUTRAL_MESSAGES / 2 + seen * isSpam) / (NEUTRAL_MESSAGES + seen)
  return Math.log(likely / (1 - likely))
}
