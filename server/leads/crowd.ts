// With more submissions in progress than this, emails would noticeably delay the responses.
const CROWD = 8
// Between two batches, most submissions of a crowd are not in progress.
const LASTS_MS = 250

/** Counts the submissions in progress. */
export function createCrowd() {
  let submissions = 0
  let crowdedAt = Number.NEGATIVE_INFINITY
  const isNow = () => submissions > CROWD

  return {
    async count<Result>(submission: Promise<Result>): Promise<Result> {
      submissions++
      try {
        return await submission
      } finally {
        if (isNow()) crowdedAt = performance.now()
        submissions--
      }
    },

    /** Whether many visitors are waiting for a response, or were a moment ago. */
    isCrowded: () => isNow() || performance.now() - crowdedAt < LASTS_MS,
  }
}
