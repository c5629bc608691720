import { flushCompileCache } from 'node:module'
import { openForReading } from '../../database/open-database.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { parseEnv } from '../../env.ts'
import { errorFacts } from '../../error-facts.ts'
import { type ReadName, runRead } from './reads.ts'

// Opens the database, says so, and runs one read after another for the server until it disconnects.

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
// Ctrl+C in a terminal goes to all processes, but the server finishes its requests first.
process.on('SIGINT', () => {})

await respond(() => {
  const db = openForReading(parseEnv(process.env).DATA_DIR)
  process.on('message', ({ name, input }: ReadRequest) => respond(() => runRead(db, name, input as never)))
  return true
})
// Node.js writes it at an orderly exit, but the server kills this process.
flushCompileCache()
