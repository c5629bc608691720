import { execSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { errorFacts } from '../../errors/error-facts.ts'
import { installFor, missing } from '../testing/needs.ts'
import { allCases } from './all-cases.ts'
import { type FaultCase, Miss } from './fault-case.ts'
import { options } from './options.ts'
import { stopPostgres } from './postgres-server.ts'

type Verdict = 'ok' | 'MISS' | 'skip'

const LANES = 3

const print = (line: string) => process.stdout.write(`${line}\n`)

async function runCase(faultCase: FaultCase): Promise<{ verdict: Verdict; detail: string }> {
  if (faultCase.isSqliteOnly && options.database === 'postgres')
    return { verdict: 'skip', detail: 'SQLite only' }
  const needsPostgres = options.database === 'postgres' ? (['postgres'] as const) : []
  const reasons = missing([...(faultCase.needs ?? []), ...needsPostgres])
  if (reasons.length > 0) return { verdict: 'skip', detail: reasons.join(', ') }
  try {
    return { verdict: 'ok', detail: await faultCase.run() }
  } catch (error) {
    return {
      verdict: 'MISS',
      detail: error instanceof Miss ? error.message : String(errorFacts(error).stack),
    }
  }
}

async function report(faultCase: FaultCase): Promise<Verdict> {
  const startedAt = performance.now()
  const { verdict, detail } = await runCase(faultCase)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const { family, fault, expected } = faultCase
  const label = verdict === 'skip' ? 'skipped' : 'seen'
  print(
    `${verdict.padEnd(4)} | ${family}: ${fault} | expected: ${expected} | ${label}: ${detail} | ${seconds} s`,
  )
  return verdict
}

/** Runs the cases, `LANES` at a time. */
async function runAll(cases: readonly FaultCase[]) {
  const verdicts = new Map<FaultCase, Verdict>()
  const queue = [...cases]
  const lane = async () => {
    for (let next = queue.shift(); next; next = queue.shift()) verdicts.set(next, await report(next))
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return verdicts
}

const isWanted = ({ inShortRun, family, fault }: FaultCase) =>
  (inShortRun || !options.short) && `${family}: ${fault}`.includes(options.only)

const wanted = allCases.filter(isWanted)
if (!existsSync(fileURLToPath(import.meta.resolve('#dist')))) execSync('npm run build', { stdio: 'inherit' })
installFor(wanted.flatMap(({ needs }) => needs ?? []))
const verdicts = await runAll(wanted).finally(stopPostgres)
const summary = (isControl: boolean) => {
  const ofKind = [...verdicts].filter(([faultCase]) => Boolean(faultCase.isControl) === isControl)
  const count = (wanted: Verdict) => ofKind.filter(([, verdict]) => verdict === wanted).length
  return `${count('ok')} ok, ${count('MISS')} missed, ${count('skip')} skipped`
}
print(`faults: ${summary(false)}`)
print(`controls: ${summary(true)}`)
process.exit([...verdicts.values()].includes('MISS') ? 1 : 0)
