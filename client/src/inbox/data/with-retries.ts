import { isWorthRetrying, retryInMs } from './query-client.ts'

/** Repeats a request if its response is lost or is a server error. Use this only for requests that are safe to repeat. */
export async function withRetries<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let retries = 0; ; retries++) {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof Error) || !isWorthRetrying(retries, error)) throw error
      await new Promise((done) => setTimeout(done, retryInMs(retries, error)))
    }
  }
}
