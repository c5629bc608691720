import { cpus, totalmem } from 'node:os'
import { Argument, Command } from 'commander'
import { formatRow, isMet, type Part, type Row, ratioOf } from './row.ts'

const parts = ['page', 'server', 'peers', 'cost', 'postgres', 'inbox', 'inbox-page', 'growth']

async function bench(names: string[], { json }: { json?: true }) {
  const rows: Row[] = []
  const say = (text: string) => (json ? process.stderr : process.stdout).write(`${text}\n`)
  for (const name of names.length > 0 ? names : parts) {
    // Loaded on demand, because most parts have heavy dependencies of their own.
    const { measure }: { measure: Part } = await import(`./parts/${name}.ts`)
    for await (const row of measure()) {
      rows.push(row)
      say(formatRow(row))
    }
  }
  const [cpu] = cpus()
  const machine = `${cpus().length} x ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node.js ${process.version}`
  say(machine)
  const judged = rows.map((row) => ({ ...row, ratio: ratioOf(row), isMet: isMet(row) }))
  if (json) process.stdout.write(JSON.stringify({ machine, at: new Date(), rows: judged }, null, 2))
  process.exitCode = judged.some((row) => row.isMet === false) ? 1 : 0
}

await new Command('bench')
  .description('Measures the program and its baselines in one run on this machine.')
  .addArgument(new Argument('[parts...]', 'only these parts').choices(parts))
  .option('--json', 'print JSON')
  .action(bench)
  .parseAsync()
