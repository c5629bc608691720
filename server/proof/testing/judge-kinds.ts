import { plans } from '#facts/plans.ts'
import type { ContactRequest } from '#shared/contact-request.ts'
import { countSamples, type Kind } from '../../leads/spam/samples.ts'
import { tokensOf } from '../../leads/spam/tokens.ts'
import {
  count,
  judgeWords,
  noWords,
  verdictWeight,
  type WordCounts,
  type WordVerdict,
} from '../../leads/spam/word-filter.ts'
import { type Clues, scoreSpam } from '../../leads/spam-score.ts'

type OtherClues = Omit<Clues, 'words'>

/** The ways in which people and programs submit the form. */
export const ways = {
  normal: { isHoneypotFilled: false, formAgeMs: 90_000, repeats: 0 },
  scriptless: { isHoneypotFilled: false, formAgeMs: undefined, repeats: 0 },
  fast: { isHoneypotFilled: false, formAgeMs: 900, repeats: 0 },
  withHoneypot: { isHoneypotFilled: true, formAgeMs: 90_000, repeats: 0 },
  program: { isHoneypotFilled: true, formAgeMs: undefined, repeats: 0 },
} satisfies Record<string, OtherClues>

const known = new Map<string, Set<string>>()
function tokensOnce(message: string) {
  const tokens = known.get(message) ?? tokensOf(message)
  known.set(message, tokens)
  return tokens
}

/** What a filter with these samples learns if owners mark all these messages as spam, or all of them as honest. */
export function learnFrom(samples: WordCounts, messages: readonly string[], isSpam: boolean): WordCounts {
  const learned = noWords()
  for (const tokens of messages.map(tokensOnce)) {
    const weight = verdictWeight(samples.messages[isSpam ? 0 : 1], messages.length, tokens.size)
    count(learned, tokens, isSpam, weight)
  }
  return learned
}

/** Judges the words of messages with a filter that knows `samples` and, if given, what it has learned from owners. */
export const judgeWith =
  (samples: WordCounts, learned = noWords()) =>
  (message: string) =>
    judgeWords(samples, learned, tokensOnce(message))

/** Judges each kind of message with a filter that has learned all other kinds, but no message of this kind. */
export const crossValidate = (kinds: readonly Kind[]) =>
  kinds.map((kind) =>
    judgeKind(
      kind,
      kinds.filter((other) => other !== kind),
    ),
  )

/** Judges each message of a kind with a filter that has learned only the kinds in `from`. */
export function judgeKind(kind: Kind, from: readonly Kind[]) {
  // Counts only the words of this kind, because the others aren't needed to judge it.
  const needed = new Set(kind.messages.flatMap((message) => [...tokensOnce(message)]))
  const tokenize = (message: string) => new Set([...tokensOnce(message)].filter((token) => needed.has(token)))
  const judge = judgeWith(countSamples(from, tokenize))
  return { kind, judged: kind.messages.map((message) => ({ message, words: judge(message) })) }
}

/** The spam score of a message that was sent in this way. The fields for the sender vary with `number`. */
export const scoreOf = (message: string, number: number, words: WordVerdict, way: OtherClues): number =>
  scoreSpam(requestWith(message, number), { ...way, words }).score

const firstNames = ['Ana', 'Bill', 'Chen', 'Елена', 'Fatima', '光', 'José', 'Mary-Kate', 'سارة', "O'Neil"]
const lastNames = ['Ortiz', 'McGraw', '王', 'Иванова', 'Haddad', 'van der Berg', 'Nguyễn', 'Smith', 'Sato']
const budgets = ['', ...plans.flatMap(({ id }) => ['', id] as const), 'custom'] as const

/** A request with this message. Most other fields vary with `number`. */
export const requestWith = (message: string, number: number): ContactRequest => ({
  firstName: firstNames[number % firstNames.length] ?? '',
  lastName: lastNames[number % lastNames.length] ?? '',
  email: `visitor-${number}@mail-${number % 7}.example`,
  phone: number % 3 ? '' : `(312) 555-0${100 + (number % 100)}`,
  company: number % 4 ? '' : 'Sample & Daughters LLC',
  website: '',
  budget: budgets[number % budgets.length] ?? '',
  message,
})
