import { setTimeout as sleep } from 'node:timers/promises'
import type { Need } from '../../../server/proof/testing/needs.ts'
import type { aimAt } from './in-page.ts'

const DEADLINE_MS = 20_000
const POLL_EVERY_MS = 50

/** An element: the first visible match of `css` that contains `text` in its label or, if it has no label, in its content. */
export type Target = { css: string; text?: string }

/** A browser with one open page. */
export type Browser = {
  /** The viewport's size in CSS pixels. */
  resize(width: number, height: number): Promise<void>
  open(url: string): Promise<void>
  /** Calls a function in the page. It can use only its arguments and the page's globals. */
  run<Args extends unknown[], Result>(inPage: (...args: Args) => Result, ...args: Args): Promise<Result>
  /** Scrolls the element into view and clicks it with the mouse. */
  click(target: Target): Promise<void>
  /** Replaces the text of a field by typing. */
  fill(target: Target, text: string): Promise<void>
  /** Returns the visible text of the page. */
  read(): Promise<string>
  picture(path: string): Promise<void>
  setOffline(isOffline: boolean): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

export type Engine = {
  name: string
  needs: readonly Need[]
  launch(options: { withScripts: boolean }): Promise<Browser>
}

/** Thrown by an action that the engine, or the protocol we use to drive it, doesn't support. */
export class NotPossible extends Error {}

/** Polls until the result isn't null, undefined or false. Ignores errors until the deadline: the page may be navigating. */
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

type Aim = ReturnType<typeof aimAt>

/** Waits until the element stops moving: a loading font can shift it. Rejects if something covers the element. */
export async function takeAim({ css, text = '' }: Target, measure: () => Promise<Aim>): Promise<Aim> {
  let last: Aim | undefined
  const aim = await waitFor(`${css} "${text}" stands still`, async () => {
    const before = last
    last = await measure()
    return before?.x === last.x && before.y === last.y && last
  })
  if (aim.coveredBy) throw new Error(`${css} "${text}" is covered by ${aim.coveredBy}`)
  return aim
}
