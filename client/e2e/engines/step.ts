import { newDataDir, startProgram } from '../../../server/proof/testing/start-program.ts'
import { type Browser, waitFor } from './engine.ts'

/** How many requests the server accepts from a client address. The form steps check that it refuses the second. */
const CONTACT_LIMIT = '1'

export type Site = Awaited<ReturnType<typeof openSite>>

/** A real server with an empty database, stopped when disposed. */
export async function openSite() {
  const dataDir = newDataDir()
  const env = { DATA_DIR: dataDir.path, CONTACT_LIMIT }
  let program = await startProgram(env)
  const { url, port } = program
  return {
    url,
    port,
    dataDir: dataDir.path,
    stop: async () => void (await program.stop()),
    restart: async () => {
      program = await startProgram({ ...env, PORT: String(port) })
    },
    async [Symbol.asyncDispose]() {
      await program.stop()
      dataDir[Symbol.dispose]()
    },
  }
}

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
