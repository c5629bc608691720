import { apiPath, CODES_A_DAY } from '#shared/inbox/api.ts'
import { queryDatabase } from '../../faults/query-database.ts'
import { median, percentile99 } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import type { Row } from '../row.ts'

const SAMPLES = 200
// The highest allowed result of `shareOfLarger`. If the times of owners and strangers have the same distribution, only 1 in
// 100 runs exceeds it by chance. Without the server's deliberate delay, the result is 0.59 to 0.65.
const MAX_SHARE = 0.575

/**
 * Measures whether response times reveal who is an owner: 200 owners and 200 strangers take turns asking for a sign-in code,
 * each from a different address.
 */
export async function* measure(): AsyncIterable<Row> {
  await using relay = await openRelay()
  using dataDir = newDataDir()
  const owners = Array.from({ length: SAMPLES }, (_, number) => `owner${number}@plumbline.example`)
  const settings = { DATA_DIR: dataDir.path }
  const program = await startProgram({
    ...settings,
    SMTP_URL: relay.url,
    MAIL_TO: owners.join(','),
    TRUST_PROXY: '1',
  })
  const times = { owners: [] as number[], strangers: [] as number[] }
  try {
    await ask(program.url, 'first@example.com', SAMPLES)
    for (const [number, owner] of owners.entries()) {
      // Without this, only so many owners would be sent a code.
      if (number % CODES_A_DAY === 0)
        await queryDatabase(settings, ({ db }) => db.deleteFrom('sign_ins').execute())
      const stranger = owner.replace('owner', 'other')
      // Alternate the order, because a request may slow down the next one.
      const order = number % 2 === 0 ? [owner, stranger] : [stranger, owner]
      for (const email of order)
        (email === owner ? times.owners : times.strangers).push(await ask(program.url, email, number))
    }
  } finally {
    await program.stop()
  }
  const name = 'for a stranger'
  const figure = 'response time when an owner asks for a code'
  yield {
    figure: `${figure}, median`,
    unit: 'ms',
    ours: median(times.owners),
    baseline: { name, value: median(times.strangers) },
    target: { atMost: 1.05 },
    note: `${relay.emails.length} of ${SAMPLES} owners were sent a code.`,
  }
  yield {
    figure: `${figure}, p99`,
    unit: 'ms',
    ours: percentile99(times.owners),
    baseline: { name, value: percentile99(times.strangers) },
  }
  yield {
    figure: "share of pairs in which the owner waits longer (or doesn't, if that's more common)",
    unit: '',
    ours: shareOfLarger(times.owners, times.strangers),
    target: { atMost: MAX_SHARE },
  }
}

async function ask(url: string, email: string, number: number): Promise<number> {
  const startedAt = performance.now()
  const response = await fetch(`${url}${apiPath}/sign-in`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': `198.51.${email.startsWith('owner') ? 100 : 101}.${number % 256}`,
    },
    body: JSON.stringify({ email }),
  })
  await response.text()
  const tookMs = performance.now() - startedAt
  if (response.status !== 202) throw new Error(`The response is ${response.status}.`)
  return tookMs
}

/**
 * Pairs each value of the first list with each of the second. Returns the share of pairs in which the first value is larger,
 * or the share in which it isn't, whichever is greater. 0.5 means that the values reveal nothing.
 */
function shareOfLarger(some: readonly number[], others: readonly number[]): number {
  const larger = some.flatMap((one) => others.map((other) => Number(one > other)))
  const share = larger.reduce((sum, one) => sum + one, 0) / larger.length
  return Math.max(share, 1 - share)
}
