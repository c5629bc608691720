import { newDataDir } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { postMany } from '../load.ts'
import { installPeers } from '../peers/install-peers.ts'
import { compare } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

// One by one first, because the crowd leaves us thousands of emails to send.
const loads = [
  { connections: 1, amount: 300, atLeast: 0.35 },
  { connections: 64, amount: 2_000, atLeast: 1 },
]

/**
 * Compares the program with a form on Fastify, which sends no emails. So ours stay queued, and both
 * only store the leads.
 */
export async function* measure(): AsyncIterable<Row> {
  if (!installPeers()) throw new Error('Fastify cannot be installed: this part needs npm and its registry.')
  using dataDir = newDataDir()
  const [settings, env] = [{ dataDir: dataDir.path }, { NODE_ENV: 'production' }]
  await using peer = await openBaseline('../peers/fastify-site.js', settings, env)
  await using ours = await openSubject({ isMailSilent: true })
  for (const { atLeast, ...load } of loads) {
    const row = {
      figure: `durable POST, connections: ${load.connections}`,
      unit: '/s',
      baseline: 'Fastify, better-sqlite3',
      target: { atLeast },
    }
    yield await compare(
      row,
      async () => (await ours.post(load)).rate,
      async () => (await postMany(peer.ready.url, load)).rate,
    )
  }
}
