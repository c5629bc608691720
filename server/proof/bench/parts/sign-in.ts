import { apiPath } from '#shared/inbox/api.ts'
import { median, percentile99 } from '../../testing/percentile.ts'
import { openRelay } from '../../testing/relay.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import type { Row } from '../row.ts'

const SAMPLES = 200
// By chance, 200 and 200 samples of one distribution exceed it once in 100 runs. Without the wait, it is 0.59 to 0.65.
const HARDLY_MORE_THAN_A_GUESS = 0.575

/** Whether the time of a response tells an owner from a stranger: 200 of each, in turns, each from another network. */
export async function* measure(): AsyncIterable<Row> {
  await using relay = await openRelay()
  using dataDir = newDataDir()
  const owners = Array.from({ length: SAMPLES }, (_, number) => `owner${number}@plumbline.example`)
  const program = await startProgram({
    DATA_DIR: dataDir.path,
    SMTP_URL: relay.url,
    MAIL_TO: owners.join(','),
    TRUST_PROXY: '1',
  })
  const times = { owners: [] as number[], strangers: [] as number[] }
  try {
    await ask(program.url, 'first@example.com', SAMPLES)
    for (const [number, owner] of owners.entries()) {
      const stranger = owner.replace('owner', 'other')
      // In both orders, because a request may slow down the next one.
      const order = number % 2 === 0 ? [owner, stranger] : [stranger, owner]
      for (const email of order)
        (email === owner ? times.owners : times.strangers).push(await ask(program.url, email, number))
    }
  } finally {
    await program.stop()
  }
  const name = 'for a stranger'
  const figure = 'time of the response to an owner who asks for a code'
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
    figure: 'how often the slower of two responses is the owner',
    unit: '',
    ours: distinction(times.owners, times.strangers),
    target: { atMost: HARDLY_MORE_THAN_A_GUESS },
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
  const took = performance.now() - startedAt
  if (response.status !== 202) throw new Error(`The response is ${response.status}.`)
  return took
}

/** How often one of the first is larger than one of the others, or smaller if that is more often: 0.5 is a guess. */
function distinction(some: readonly number[], others: readonly number[]): number {
  const larger = some.flatMap((one) => others.map((other) => Number(one > other)))
  const share = larger.reduce((sum, one) => sum + one, 0) / larger.length
  return Math.max(share, 1 - share)
}
