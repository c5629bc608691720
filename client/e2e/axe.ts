import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

// Each new document has to parse this script, so it is the minified one: half the size of `axe.source`.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** The violations that axe finds in the open dialog or, if there is none, in the page. If `rules` are given, axe checks only those. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  return page.evaluate(async (values) => {
    const options: axe.RunOptions = {
      ...(values && { runOnly: { type: 'rule', values } }),
      // By default, axe also describes what passes, which takes twice as long as the checks.
      resultTypes: ['violations'],
      preload: false,
    }
    // Nothing behind a dialog can be reached, and checking it would take most of the time.
    const shown = document.querySelector('dialog[open]') ?? document
    const result = await (window as unknown as { axe: typeof axe }).axe.run(shown, options)
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
  }, rules)
}

/** The violations on a phone in light mode and on a wide screen in dark mode. The other two combinations could only find
 * the same ones, because colors don't depend on the width.
 */
export async function violationsInEveryMode(page: Page): Promise<string[]> {
  const found: string[] = []
  const find = async (width: number, colorScheme: 'light' | 'dark') => {
    await page.setViewportSize({ width, height: 900 })
    await page.emulateMedia({ colorScheme })
    found.push(...(await violations(page)).map((violation) => `${width} px, ${colorScheme}: ${violation}`))
  }
  await find(360, 'light')
  await find(1440, 'dark')
  return found
}
