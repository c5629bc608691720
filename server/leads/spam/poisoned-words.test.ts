import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ContactRequest } from '#shared/contact-request.ts'
import { judgeWith, learnFrom, requestWith, ways } from '../../proof/testing/judge-kinds.ts'
import { isSuspect, scoreSpam } from '../spam-score.ts'
import { countSamples, readCorpus, readKinds, readSamples } from './samples.ts'
import type { WordCounts } from './word-filter.ts'

// A stranger can send messages that read like honest requests, so that owners mark them as spam. The authors of these three
// files haven't seen the samples, and no setting was chosen with these files.
const corpus = join(import.meta.dirname, '../../proof/testing/corpus')
const fakes = readRequests('fakes').map(({ message }) => message)
const ordinary = readRequests('ordinary')
const unseenSpam = readKinds(join(corpus, 'unseen-spam.txt'), true)
  .flatMap(({ messages }) => messages)
  .map(requestWith)

function readRequests(name: string): ContactRequest[] {
  const text = readFileSync(join(corpus, `${name}.json`), 'utf8')
  const requests: Omit<ContactRequest, 'website'>[] = JSON.parse(text)
  return requests.map((request) => ({ website: '', ...request }))
}

const messagesOf = (part: Parameters<typeof readCorpus>[0], isSpam: boolean) =>
  readCorpus(part).flatMap((kind) => (kind.isSpam === isSpam ? kind.messages : []))
const finalSpam = messagesOf('final-', true).map(requestWith)

const samples = readSamples()
// The final kinds are among the samples, so filters that are tested with these kinds must not know them.
const otherSamples = countSamples(readCorpus(''))

type Way = keyof typeof ways
const allWays = Object.keys(ways) as Way[]

/** The suspects among these requests, if owners have marked the messages in `poison` as spam. */
function findSuspects(requests: readonly ContactRequest[], from: WordCounts, poison: string[], way: Way) {
  const judge = judgeWith(from, learnFrom(from, poison, true))
  return requests.filter((request) =>
    isSuspect(scoreSpam(request, { ...ways[way], words: judge(request.message) }).score),
  )
}

test.each(allWays)(
  'after 60 fakes were marked as spam, at most one of 50 ordinary requests is a suspect (%s)',
  (way) => {
    expect([fakes.length, ordinary.length]).toEqual([60, 50])
    expect(findSuspects(ordinary, samples, fakes, way).length).toBeLessThanOrEqual(1)
  },
)

test.each(allWays)(
  'after 60 fakes were marked as spam, no less spam of unlearned kinds is marked than before (%s)',
  (way) => {
    for (const [spam, from] of [
      [finalSpam, otherSamples],
      [unseenSpam, samples],
    ] as const) {
      const before = findSuspects(spam, from, [], way).length
      expect(findSuspects(spam, from, fakes, way).length).toBeGreaterThanOrEqual(before)
    }
  },
)
