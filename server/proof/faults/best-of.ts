/** Measures up to `tries` times until it's good: a busy machine slows down a single try, a slow program all of them. */
export async function bestOf<Outcome>(
  tries: number,
  isGood: (outcome: Outcome) => boolean,
  measure: () => Promise<Outcome>,
): Promise<Outcome> {
  const outcome = await measure()
  return isGood(outcome) || tries === 1 ? outcome : bestOf(tries - 1, isGood, measure)
}
