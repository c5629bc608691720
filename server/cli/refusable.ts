import { Problem } from '../problem.ts'
import { CommandError, exitCodes } from './run-command.ts'

/** Turns a refusal of a change into an error for the terminal: nothing was done. */
export const refusable = <Result>(change: Promise<Result>): Promise<Result> =>
  change.catch((error: unknown) => {
    throw error instanceof Problem ? new CommandError(error.message, exitCodes.nothingDone) : error
  })
