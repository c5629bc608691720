import { expect, test } from 'vitest'
import { crossValidate, judgeKind, scoreOf, ways } from '../proof/testing/judge-kinds.ts'
import { readCorpus } from './spam/samples.ts'
import { isSuspect } from './spam-score.ts'

const kinds = readCorpus('')
const finalKinds = readCorpus('final-')

/**
 * The messages that are marked as spam if they are sent in this `way`. Each verdict in `judged` comes from a filter that
 * hasn't learned any message of that kind.
 */
function marked(judged: ReturnType<typeof judgeKind>[], way: keyof typeof ways) {
  const messages = judged.flatMap(({ judged }) => judged)
  return messages.filter(({ message, words }, number) =>
    isSuspect(scoreOf(message, number, words, ways[way])),
  )
}
const heldOut = crossValidate(kinds)
const spam = heldOut.filter(({ kind }) => kind.isSpam)
const honest = heldOut.filter(({ kind }) => !kind.isSpam)
const share = (part: unknown[], whole: { judged: unknown[] }[]) =>
  part.length / whole.flatMap(({ judged }) => judged).length

test.each(['normal', 'scriptless'] as const)(
  'no honest message of a kind that the filter has not learned is marked as spam (%s)',
  (way) => {
    expect(marked(honest, way)).toEqual([])
  },
)

test('at least an eighth of the spam of unlearned kinds is marked, or at least a third if the honeypot is filled in and there is no time token', () => {
  expect(share(marked(spam, 'normal'), spam)).toBeGreaterThanOrEqual(1 / 8)
  expect(share(marked(spam, 'program'), spam)).toBeGreaterThanOrEqual(1 / 3)
})

test('of the messages that were not used to tune the filter, at least a tenth of the spam is marked, and no honest message is', () => {
  const final = finalKinds.map((kind) => judgeKind(kind, kinds))

  const [ofSpam, ofHonest] = [true, false].map((isSpam) => final.filter(({ kind }) => kind.isSpam === isSpam))
  expect(share(marked(ofSpam ?? [], 'normal'), ofSpam ?? [])).toBeGreaterThanOrEqual(1 / 10)
  expect(marked(ofHonest ?? [], 'normal')).toEqual([])
})
