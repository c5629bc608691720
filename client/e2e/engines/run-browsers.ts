import { rmSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { installFor, missing } from '../../../server/proof/testing/needs.ts'
import { chromium } from './chromium.ts'
import type { Engine } from './engine.ts'
import { firefox } from './firefox.ts'
import { type Column, formatTable } from './table.ts'
import { type Outcome, pictures, story, walk } from './walk.ts'
import { webkit } from './webkit.ts'

const { values: options } = parseArgs({
  options: {
    /** Runs only the most important steps, and only at a phone's width. */
    short: { type: 'boolean', default: false },
    /** Installs nothing, and does nothing unless every engine is installed. */
    installed: { type: 'boolean', default: false },
    /** Runs only the engines and steps whose names contain the given text. */
    engine: { type: 'string', default: '' },
    step: { type: 'string', default: '' },
  },
})
const engines = [chromium, firefox, webkit].filter(({ name }) => name.includes(options.engine))
const widths = options.short ? [360] : [360, 1440]
const steps = story.filter(({ name, isLong }) => !(options.short && isLong) && name.includes(options.step))
const print = (line: string) => process.stdout.write(`${line}\n`)

const needs = engines.flatMap((engine) => engine.needs)
if (!options.installed) installFor(needs)
const reasons = missing(needs)
if (options.installed && reasons.length > 0) {
  print(`browsers: skipped, because this machine ${reasons.join(', ')}`)
  process.exit(0)
}

async function walkAt(engine: Engine, width: number): Promise<Column> {
  const outcomes = new Map<string, Outcome>()
  const heading = `${engine.name} ${width}`
  const end = (outcome: Outcome) => {
    for (const { name } of steps) if (!outcomes.has(name)) outcomes.set(name, outcome)
  }
  const [reason] = missing(engine.needs)
  if (reason) end({ verdict: 'not possible here', why: `this machine ${reason}` })
  else {
    let startedAt = performance.now()
    await walk({ engine, width, steps }, ({ name }, outcome) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      startedAt = performance.now()
      print(
        `${outcome.verdict} | ${heading} | ${name} | ${seconds} s${outcome.why ? ` | ${outcome.why}` : ''}`,
      )
      outcomes.set(name, outcome)
    }).catch((error: Error) => end({ verdict: 'failed', why: error.message }))
  }
  return { heading, outcomes }
}

async function walkInOrder(engine: Engine): Promise<Column[]> {
  const columns: Column[] = []
  for (const width of widths) columns.push(await walkAt(engine, width))
  return columns
}

rmSync(pictures, { recursive: true, force: true })
const columns = (await Promise.all(engines.map(walkInOrder))).flat()
const names = steps.map(({ name }) => name)
print(`\n${formatTable(names, columns)}`)
const failed = columns
  .flatMap(({ outcomes }) => [...outcomes.values()])
  .filter(({ verdict }) => verdict === 'failed')
print(`\nbrowsers: ${failed.length} failed; pictures are in test-results/browsers`)
process.exit(failed.length === 0 ? 0 : 1)
