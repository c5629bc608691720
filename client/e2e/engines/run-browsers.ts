import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { installFor, missing } from '../../../server/proof/testing/needs.ts'
import { type Browser, type Engine, NotPossible } from './engine.ts'
import { formSteps } from './form-steps.ts'
import { inboxSteps } from './inbox-steps.ts'
import { pageSteps } from './page-steps.ts'
import { chromium, firefox } from './puppeteer.ts'
import { openSite, type Site, type Step } from './step.ts'
import { webkit } from './webkit.ts'

// A visitor looks around and sends the form, then an owner finds the request and answers it, in three engines.

const STEP_DEADLINE_MS = 60_000
const pictures = join(import.meta.dirname, '../../../test-results/browsers')
const story: readonly Step[] = [...pageSteps, ...formSteps, ...inboxSteps]

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
const print = (...parts: string[]) => process.stdout.write(`${parts.join(' | ')}\n`)
let failures = 0

const needs = engines.flatMap((engine) => engine.needs)
if (!options.installed) installFor(needs)
const reasons = missing(needs)
if (options.installed && reasons.length > 0) {
  print(`browsers: skipped, because this machine ${reasons.join(', ')}`)
  process.exit(0)
}

async function openBrowser(engine: Engine, width: number, withScripts: boolean): Promise<Browser> {
  const browser = await engine.launch({ withScripts })
  await browser.resize(width, width < 600 ? 780 : 900)
  return browser
}

/** Runs the steps in one engine. */
async function walk(engine: Engine, width: number) {
  const [reason] = missing(engine.needs)
  if (reason) return print('not possible here', engine.name, `this machine ${reason}`)
  await using site = await openSite()
  await using browser = await openBrowser(engine, width, true)
  for (const step of steps)
    if (!step.isScriptless) await act({ engine, width, step, site, browser })
    else {
      await using ownSite = await openSite()
      await using scriptless = await openBrowser(engine, width, false)
      await act({ engine, width, step, site: ownSite, browser: scriptless })
    }
}

type Act = { engine: Engine; width: number; step: Step; site: Site; browser: Browser }

/** Runs the step, saves a screenshot of how it ended, and prints the outcome. */
async function act({ engine, width, step, site, browser }: Act) {
  const startedAt = performance.now()
  const folder = join(pictures, engine.name.toLowerCase())
  mkdirSync(folder, { recursive: true })
  const prefix = `${width}-${String(story.indexOf(step) + 1).padStart(2, '0')}`
  const keepPicture = (name: string) =>
    browser.picture(join(folder, `${prefix}-${name.replaceAll(/\W+/g, '-')}.png`))
  const end = (verdict: string, why = '') =>
    print(
      verdict,
      `${engine.name} ${width}`,
      step.name,
      `${((performance.now() - startedAt) / 1000).toFixed(1)} s`,
      why,
    )
  try {
    await inTime(step.act({ browser, site, width, keepPicture }))
    await keepPicture(step.name)
    end('ok')
  } catch (error) {
    const why = (error as Error).message.split('\n')[0]
    if (error instanceof NotPossible) return end('not possible here', why)
    failures++
    end('FAILED', why)
    await inTime(keepPicture(`${step.name}-failed`)).catch(() => {})
  }
}

async function inTime(acting: Promise<void>) {
  const late = sleep(STEP_DEADLINE_MS, 'late', { ref: false })
  if ((await Promise.race([acting, late])) === 'late') throw new Error(`took over ${STEP_DEADLINE_MS} ms`)
}

rmSync(pictures, { recursive: true, force: true })
await Promise.all(
  engines.map(async (engine) => {
    for (const width of widths)
      await walk(engine, width).catch((error: Error) => {
        failures++
        print('FAILED', `${engine.name} ${width}`, error.message)
      })
  }),
)
print(`\nbrowsers: ${failures} failed; pictures are in test-results/browsers`)
process.exit(failures === 0 ? 0 : 1)
