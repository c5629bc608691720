import { openRelay } from '../../testing/relay.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { openBaseline } from '../baselines/baseline.ts'
import { postMany } from '../load.ts'
import { installPeers } from '../peers/install-peers.ts'
import { alternate } from '../rounds.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

const ROUNDS = 5
// One by one first, because the crowd leaves us thousands of emails to send.
const ALONE = { connections: 1, amount: 300 }
const CROWD = { connections: 64, amount: 2_000 }

const peers = [
  { name: 'Express, better-sqlite3, nodemailer', file: 'mail-inside.ts', sendsEmails: true, least: [0.4, 1] },
  // Sends no emails. So ours stay queued, too, and both sides only store the leads.
  {
    name: 'Fastify, better-sqlite3',
    file: '../peers/fastify-site.js',
    sendsEmails: false,
    least: [0.6, 1.1],
  },
]

/** Compares the program with forms built on common frameworks, each with its usual production settings. */
export async function* measure(): AsyncIterable<Row> {
  if (!installPeers()) throw new Error('Fastify cannot be installed: this part needs npm and its registry.')
  for (const { name, file, sendsEmails, least } of peers) {
    await using relay = await openRelay()
    if (!sendsEmails) relay.misbehave('connect', () => undefined)
    using dataDir = newDataDir()
    const settings = { dataDir: dataDir.path, smtpUrl: relay.url }
    await using peer = await openBaseline(file, settings, { NODE_ENV: 'production' })
    await using ours = await openSubject({ SMTP_URL: relay.url })
    for (const [index, load] of [ALONE, CROWD].entries()) {
      const { ours: our, theirs } = await alternate(
        ROUNDS,
        () => ours.post(load),
        () => postMany(peer.ready.url, load),
        (our, their) => our.rate / their.rate,
      )
      yield {
        figure: `durable POST, ${load.connections === 1 ? '1 connection' : `${load.connections} connections`}`,
        unit: '/s',
        ours: our.rate,
        baseline: { name, value: theirs.rate },
        target: { atLeast: least[index] ?? 1 },
      }
    }
  }
}
