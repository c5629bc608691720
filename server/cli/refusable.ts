import { Problem } from '../problem.ts'
import { CommandError, exitCodes } from './run-command.ts'

/** If the server's code rejects a change with a `Problem`, throws a command error with the exit code for "nothing done". */
export const refusable = <Result>(change: Promise<Result>): Promise<Result> =>
  change.catch((error: unknown) => {
    throw error instanceof Problem ? new CommandError(error.message, exitCodes.nothingDone) : error
  })
