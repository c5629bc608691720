import type { Browser } from './engine.ts'
import type { Site } from './site.ts'
import { waitFor } from './wait-for.ts'

/** What a step works with: a browser window of a certain width, and the site. */
export type Scene = {
  browser: Browser
  site: Site
  width: number
  keepPicture(name: string): Promise<void>
}

export type Step = {
  name: string
  /** Skipped by `--short`. */
  isLong?: boolean
  /** Runs in a browser without JavaScript, and with a server of its own. */
  isScriptless?: boolean
  act(scene: Scene): Promise<void>
}

export const button = (text: string) => ({ css: 'button', text })
export const link = (text: string) => ({ css: 'a[href]', text })
export const field = (name: string) => ({ css: `main form [name="${name}"]` })

export const showsText = (browser: Browser, text: string) =>
  waitFor(`the page says "${text}"`, async () => (await browser.read()).includes(text))

export function check(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Error(otherwise)
}
