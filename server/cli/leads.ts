import '../start/check-business.ts'
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { addMark, addResend } from './commands/change.ts'
import { addCopy } from './commands/copy.ts'
import { addErase } from './commands/erase.ts'
import { addExport } from './commands/export.ts'
import { addList, addShow } from './commands/list.ts'
import { addSignIn } from './commands/sign-in.ts'
import { exitCodes, runCommand } from './run-command.ts'

const { done, failed, usage, nothingDone } = exitCodes
const program = new Command('leads')
  .description('Work with the stored leads. Safe while the server runs.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Times are in the office's time zone.
Exit codes: ${done} done, ${failed} failed, ${usage} wrong usage, ${nothingDone} nothing done (not found or declined).`,
  )
const commands = [addList, addShow, addMark, addExport, addResend, addErase, addCopy, addSignIn]
for (const add of commands) add(program)

// A pipe that closes early, as in `leads list | head`, is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? done : failed),
)

// Loads .env here, because Node's option `--env-file-if-exists` would print a notice if there were
// no file.
if (existsSync('.env')) process.loadEnvFile()

await runCommand(program)
