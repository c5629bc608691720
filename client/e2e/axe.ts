import type { Page } from '@playwright/test'
import axe from 'axe-core'

/** The violations that axe finds in the page as it is. `rules` limits it to some rules. */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  return page.evaluate(async (values) => {
    const options: axe.RunOptions = {
      ...(values && { runOnly: { type: 'rule', values } }),
      // Describing what passes would take twice as long as the checks.
      resultTypes: ['violations'],
      preload: false,
    }
    const result = await (window as unknown as { axe: typeof axe }).axe.run(options)
    return result.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html}`))
  }, rules)
}

/** The violations on a phone and on a wide screen, in light and dark mode. Leaves the page on a wide screen in dark mode. */
export async function violationsInEveryMode(page: Page): Promise<string[]> {
  const found: string[] = []
  const find = async (mode: string, rules?: string[]) =>
    found.push(...(await violations(page, rules)).map((violation) => `${mode}: ${violation}`))
  await page.setViewportSize({ width: 360, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
  await find('phone, light')
  // Only colors depend on the mode.
  await page.emulateMedia({ colorScheme: 'dark' })
  await find('phone, dark', ['color-contrast'])
  await page.setViewportSize({ width: 1440, height: 900 })
  await find('wide, dark')
  await page.emulateMedia({ colorScheme: 'light' })
  await find('wide, light', ['color-contrast'])
  return found
}
