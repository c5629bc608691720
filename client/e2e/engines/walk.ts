import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type Engine, NotPossible } from './engine.ts'
import { formSteps } from './form-steps.ts'
import { inboxSteps } from './inbox-steps.ts'
import { pageSteps } from './page-steps.ts'
import { openSite, type Site } from './site.ts'
import type { Step } from './step.ts'

const STEP_DEADLINE_MS = 60_000
export const pictures = join(import.meta.dirname, '../../../test-results/browsers')

export type Outcome = { verdict: 'ok' | 'failed' | 'not possible here'; why?: string }
export type Walk = { engine: Engine; width: number; steps: readonly Step[] }

/** All steps: a visitor looks around and sends the form, then an owner finds the request and answers it. */
export const story: readonly Step[] = [...pageSteps, ...formSteps, ...inboxSteps]

/** Runs the steps in one engine, and reports the outcome of each. */
export async function walk(tour: Walk, report: (step: Step, outcome: Outcome) => void) {
  await using site = await openSite()
  await using browser = await openBrowser(tour, { withScripts: true })
  for (const step of tour.steps)
    report(step, await (step.isScriptless ? actWithoutScripts(tour, step) : act(tour, step, site, browser)))
}

async function openBrowser({ engine, width }: Walk, options: { withScripts: boolean }): Promise<Browser> {
  const browser = await engine.launch(options)
  await browser.resize(width, width < 600 ? 780 : 900)
  return browser
}

async function actWithoutScripts(tour: Walk, step: Step): Promise<Outcome> {
  await using site = await openSite()
  await using browser = await openBrowser(tour, { withScripts: false })
  return await act(tour, step, site, browser)
}

/** Runs the step, and saves a screenshot of how it ended. */
async function act({ engine, width }: Walk, step: Step, site: Site, browser: Browser): Promise<Outcome> {
  const folder = join(pictures, engine.name.toLowerCase())
  mkdirSync(folder, { recursive: true })
  const prefix = `${width}-${String(story.indexOf(step) + 1).padStart(2, '0')}`
  const keepPicture = (name: string) =>
    browser.picture(join(folder, `${prefix}-${name.replaceAll(/\W+/g, '-')}.png`))
  try {
    await inTime(step.act({ browser, site, width, keepPicture }))
    await keepPicture(step.name)
    return { verdict: 'ok' }
  } catch (error) {
    const why = (error as Error).message.split('\n')[0] ?? ''
    if (error instanceof NotPossible) return { verdict: 'not possible here', why }
    await inTime(keepPicture(`${step.name}-failed`)).catch(() => {})
    return { verdict: 'failed', why }
  }
}

async function inTime(acting: Promise<void>) {
  const late = sleep(STEP_DEADLINE_MS, 'late', { ref: false })
  if ((await Promise.race([acting, late])) === 'late') throw new Error(`took over ${STEP_DEADLINE_MS} ms`)
}
