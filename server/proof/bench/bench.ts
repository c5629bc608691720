import { cpus, totalmem } from 'node:os'
import { Argument, Command } from 'commander'
import { formatRow, formatRows, isMet, type Part, type Row, ratioOf } from './row.ts'

// Loaded on demand, because most parts have heavy dependencies of their own.
const parts: Record<string, () => Promise<{ measure: Part }>> = {
  page: () => import('./parts/page.ts'),
  server: () => import('./parts/server.ts'),
  peers: () => import('./parts/peers.ts'),
  cost: () => import('./parts/cost.ts'),
  postgres: () => import('./parts/postgres.ts'),
  inbox: () => import('./parts/inbox.ts'),
  'inbox-page': () => import('./parts/inbox-page.ts'),
  growth: () => import('./parts/growth.ts'),
}

const say = (text: string) => process.stdout.write(`${text}\n`)

const machine = () =>
  `${cpus().length} x ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, ${process.platform} ${process.arch}, Node.js ${process.version}`

async function bench(names: string[], { json }: { json?: true }) {
  const rows: Row[] = []
  for (const name of names.length > 0 ? names : Object.keys(parts)) {
    const part = await parts[name]?.()
    for await (const row of part?.measure() ?? []) {
      rows.push(row)
      process.stderr.write(`${formatRow(row)}\n`)
    }
  }
  const judged = rows.map((row) => ({ ...row, ratio: ratioOf(row), isMet: isMet(row) }))
  const at = new Date().toISOString()
  say(
    json
      ? JSON.stringify({ machine: machine(), at, rows: judged }, null, 2)
      : `\n${formatRows(rows)}\n\n${machine()}, ${at.slice(0, 10)}`,
  )
  const missed = rows.filter((row) => isMet(row) === false)
  if (missed.length > 0) process.stderr.write(`\nMissed: ${missed.map(({ figure }) => figure).join('; ')}\n`)
  process.exitCode = missed.length > 0 ? 1 : 0
}

await new Command('bench')
  .description('Measures the program and its baselines in one run on this machine.')
  .addArgument(new Argument('[parts...]', 'only these parts').choices(Object.keys(parts)))
  .option('--json', 'print JSON')
  .action(bench)
  .parseAsync()
