import '../check-business.ts'
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { closeNewFiles } from '../files/private-files.ts'
import { CommandError, endWith, exitCodes } from './command-line.ts'
import { addCopy } from './commands/copy.ts'
import { addErase } from './commands/erase.ts'
import { addExport } from './commands/export.ts'
import { addList } from './commands/list.ts'
import { addResend } from './commands/resend.ts'
import { addShow } from './commands/show.ts'
import { addStats } from './commands/stats.ts'
import { hintOnNpm } from './taken-by-npm.ts'

closeNewFiles()
const { done, failed, usage, nothingDone } = exitCodes
const program = new Command('leads')
  .description('The stored quote requests. Safe beside the running server.')
  .exitOverride()
  .addHelpText(
    'after',
    `
Times are those of the office. Every command takes --json.
Exit codes: ${done} done, ${failed} failed, ${usage} wrong usage, ${nothingDone} nothing done (not found, or declined).`,
  )
for (const add of [addList, addShow, addExport, addResend, addErase, addStats, addCopy]) add(program)

// `leads list | head`: whoever reads has seen enough.
process.stdout.on('error', (error: NodeJS.ErrnoException) =>
  process.exit(error.code === 'EPIPE' ? done : failed),
)

// Node's own option for this says on stderr each time that there is none.
if (existsSync('.env')) process.loadEnvFile()

const [name, ...words] = process.argv.slice(2)
const hint = hintOnNpm(
  program.commands.find((command) => command.name() === name),
  words,
  process.env,
)

try {
  if (hint) throw new CommandError(hint, usage)
  await program.parseAsync()
} catch (error) {
  process.exitCode = endWith(error)
}
