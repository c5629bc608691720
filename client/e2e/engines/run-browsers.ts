import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installFor, missing } from '../../../server/proof/testing/needs.ts'
import { newDataDir } from '../../../server/proof/testing/start-program.ts'
import { openSite } from '../site.ts'
import type { Engine } from './engine.ts'
import { firefox } from './firefox.ts'
import { type Scene, type Step, story } from './story.ts'
import { webkit } from './webkit.ts'

// Runs the story in the engines that Playwright's tests don't use.

const pictures = join(import.meta.dirname, '../../../test-results/browsers')

const { values: options } = parseArgs({
  options: {
    /** Runs only the most important steps, and only at a phone's width. */
    short: { type: 'boolean', default: false },
    /** Installs nothing, and does nothing unless every engine is installed. */
    installed: { type: 'boolean', default: false },
    /** Runs only the engines whose names contain the given text. */
    engine: { type: 'string', default: '' },
  },
})
const engines = [firefox, webkit].filter(({ name }) => name.includes(options.engine))
const widths = options.short ? [360] : [360, 1440]
const steps = story.filter(({ isLong }) => !(options.short && isLong))
const print = (...parts: string[]) => process.stdout.write(`${parts.join(' | ')}\n`)
let failures = 0

const needs = engines.flatMap((engine) => engine.needs)
if (!options.installed) installFor(needs)
const reasons = missing(needs)
if (reasons.length > 0) {
  print(`browsers: skipped, because this machine ${reasons.join(', ')}`)
  process.exit(options.installed ? 0 : 1)
}

/** Runs the steps in one engine. */
async function walk(engine: Engine, width: number) {
  using dataDir = newDataDir()
  const site = await openSite(dataDir.path)
  await using browser = await engine.launch()
  await browser.resize(width, width < 600 ? 780 : 900)
  for (const step of steps) await act(engine.name, step, { site, browser, width })
  await site.close()
}

/** Runs the step, saves a screenshot of how it ended, and prints the outcome. */
async function act(engine: string, step: Step, scene: Omit<Scene, 'keepPicture'>) {
  const startedAt = performance.now()
  const folder = join(pictures, engine.toLowerCase())
  mkdirSync(folder, { recursive: true })
  const prefix = `${scene.width}-${String(story.indexOf(step) + 1).padStart(2, '0')}`
  const keepPicture = (name: string) =>
    scene.browser.picture(join(folder, `${prefix}-${name.replaceAll(/\W+/g, '-')}.png`))
  const seconds = () => `${((performance.now() - startedAt) / 1000).toFixed(1)} s`
  try {
    await step.act({ ...scene, keepPicture })
    await keepPicture(step.name)
    print('ok', `${engine} ${scene.width}`, step.name, seconds())
  } catch (error) {
    failures++
    const [why = ''] = (error as Error).message.split('\n')
    print('FAILED', `${engine} ${scene.width}`, step.name, seconds(), why)
    await keepPicture(`${step.name}-failed`).catch(() => {})
  }
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
