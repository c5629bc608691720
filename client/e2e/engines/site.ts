import { newDataDir, startProgram } from '../../../server/proof/testing/start-program.ts'

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
