import { Argument, type Command } from 'commander'
import { type LeadState, leadStates } from '#shared/inbox/lead.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { markLead } from '../../inbox/leads/change-lead.ts'
import { Problem } from '../../problem.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

export function addMark(program: Command) {
  program
    .command('mark')
    .argument('<reference>', 'the lead', reference)
    .addArgument(new Argument('<state>', 'its new state').choices(leadStates))
    .description('change the state of a lead, as in the inbox')
    .option('--json', 'print the new state, as a JSON object')
    .action((wanted: string, state: LeadState, { json }: { json?: true }) =>
      withDatabase(async (db, { now }) => {
        const lead = await db
          .selectFrom('leads')
          .select('version')
          .where('reference', '=', wanted)
          .executeTakeFirst()
        const change = { reference: wanted, version: lead?.version ?? 0, who: 'shell', state }
        const status = await markLead({ write: createGroupCommit(db), now }, change).catch(refuse)
        if (json) printJson({ reference: wanted, ...status })
        else print(`${wanted} is marked as ${status.state}.`)
      }),
    )
}

/** Without a lead, or if its state can't become this one. */
function refuse(error: unknown): never {
  throw error instanceof Problem ? new CommandError(error.message, exitCodes.nothingDone) : error
}
