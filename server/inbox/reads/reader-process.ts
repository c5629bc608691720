import { openForReading } from '../../database/open-database.ts'
import { isStorageError } from '../../database/storage-error.ts'
import { parseEnv } from '../../env.ts'
import { errorFacts } from '../../error-facts.ts'
import { type ReadName, runRead } from './reads.ts'

/** A read, and its result. */
export type Request = { name: ReadName; input: unknown }
export type Response =
  | { output: unknown }
  | { error: { message: string; code: string; isUnavailable: boolean } }

// Runs reads for the server, one at a time, until it disconnects or ends.
const db = openForReading(parseEnv(process.env).DATA_DIR)
process.on('disconnect', () => process.exit())
// A Ctrl+C in a terminal is for the server, which finishes its requests first.
process.on('SIGINT', () => {})

process.on('message', async ({ name, input }: Request) => {
  const response: Response = await runRead(db, name, input as never).then(
    (output) => ({ output }),
    (error: unknown) => {
      const { message = '', code = '' } = errorFacts(error)
      return { error: { message, code: String(code), isUnavailable: isStorageError(error) } }
    },
  )
  process.send?.(response)
})
