import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'

// Each new document has to parse this script, so it is the minified one: half the size of
// `axe.source`.
const source = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/**
 * The violations that axe finds in the open dialog or, if there is none, in the page. If `rules`
 * are given, axe checks only those.
 */
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

/**
 * The violations in light mode, and those of colors in dark mode: nothing else differs between the
 * themes.
 */
export async function violationsInBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const dark = await violations(page, ['color-contrast'])
  return [...found, ...dark.map((violation) => `dark: ${violation}`)]
}
