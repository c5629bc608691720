import { setTimeout as sleep } from 'node:timers/promises'
import type { Need } from '../../../server/proof/testing/needs.ts'

const DEADLINE_MS = 20_000
const POLL_EVERY_MS = 50

/**
 * A browser with one open page. `click` and `fill` use the first visible match of `css` that
 * contains `text`.
 */
export type Browser = {
  /** The viewport's size in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  open(url: string): Promise<void>
  /** Calls a function in the page. It can use only its arguments and the page's globals. */
  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Clicks the element with the mouse. */
  click(css: string, text?: string): Promise<void>
  /** Replaces the text of a field by typing. */
  fill(css: string, text: string): Promise<void>
  picture(path: string): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Engine = {
  name: string
  needs: readonly Need[]
  launch(): Promise<Browser>
}

/**
 * Polls until the result isn't null, undefined or false. Ignores errors until the deadline: the
 * page may be navigating.
 */
export async function waitFor<Result>(
  what: string,
  poll: () => Promise<Result | null | undefined | false>,
): Promise<Result> {
  let problem = ''
  for (const startedAt = performance.now(); performance.now() - startedAt < DEADLINE_MS; ) {
    try {
      const result = await poll()
      if (result !== null && result !== undefined && result !== false) return result
      problem = ''
    } catch (error) {
      problem = ` (${(error as Error).message})`
    }
    await sleep(POLL_EVERY_MS)
  }
  throw new Error(`not within ${DEADLINE_MS / 1000} s: ${what}${problem}`)
}

/** Runs in the page: finds an element, and scrolls it into the middle of the window. */
export function findElement(css: string, text: string): HTMLElement | null {
  const isWanted = (element: HTMLElement) =>
    element.checkVisibility({ visibilityProperty: true }) && element.innerText.includes(text)
  const found = [...document.querySelectorAll<HTMLElement>(css)].find(isWanted) ?? null
  found?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return found
}
