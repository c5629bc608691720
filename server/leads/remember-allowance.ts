import type { Allowance } from './accepted-requests.ts'

// When it is full, everything is dropped, so that memory stays bounded.
const MAX_CLIENTS = 10_000

type Known = { remaining: number; resetAt: number; until: number }

/**
 * Caches the allowance of a client while its requests are rejected: it cannot change until then, so a flood costs no
 * queries.
 */
export function rememberAllowance(allowanceOf: (client: string) => Promise<Allowance>) {
  const known = new Map<string, Known>()

  async function ask(client: string, time: number, refusedSeconds: number): Promise<Known> {
    const { remaining, resetSeconds } = await allowanceOf(client)
    const seconds = Math.min(resetSeconds, refusedSeconds)
    if (known.size >= MAX_CLIENTS) known.clear()
    const answer = { remaining, resetAt: time + resetSeconds * 1000, until: time + seconds * 1000 }
    known.set(client, answer)
    return answer
  }

  return async (client: string, now: Date, refusedSeconds: number): Promise<Allowance> => {
    const time = now.getTime()
    const seen = known.get(client)
    const isValid = seen !== undefined && time < seen.until
    const { remaining, resetAt } = isValid ? seen : await ask(client, time, refusedSeconds)
    return { remaining, resetSeconds: Math.max(1, Math.ceil((resetAt - time) / 1000)) }
  }
}
