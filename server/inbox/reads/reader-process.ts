import { openExistingDatabase } from '../../database/sqlite.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { parseEnv } from '../../env.ts'
import { errorFacts } from '../../error-facts.ts'
import { type ReadName, runRead } from './reads.ts'

// A child process that opens the database, reports that it is ready, and runs the server's reads one by one until the
// server disconnects.

export type ReadRequest = { name: ReadName; input: unknown }
export type ReadResponse =
  | { output: unknown }
  | { error: { message: string; code: string; isUnavailable: boolean } }

async function respond(work: () => unknown) {
  let response: ReadResponse
  try {
    response = { output: await work() }
  } catch (error) {
    const { message = '', code = '' } = errorFacts(error)
    response = { error: { message, code: String(code), isUnavailable: isStorageError(error) } }
  }
  process.send?.(response)
}

process.on('disconnect', () => process.exit())
// Ignores Ctrl+C, which reaches all processes of a terminal: the server still needs this one to finish its requests.
process.on('SIGINT', () => {})

await respond(() => {
  const db = openExistingDatabase(parseEnv(process.env).DATA_DIR, { readonly: true })
  process.on('message', ({ name, input }: ReadRequest) => respond(() => runRead(db, name, input as never)))
  return true
})
