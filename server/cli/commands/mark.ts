import { Argument, type Command } from 'commander'
import { type LeadState, leadStates } from '#shared/inbox/lead.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { markLead } from '../../inbox/leads/mark-lead.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { refusable } from '../refusable.ts'
import { versionOf } from '../version-of.ts'
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
        const change = { reference: wanted, version: await versionOf(db, wanted), who: 'shell', state }
        const status = await refusable(markLead({ write: createGroupCommit(db), now }, change))
        if (json) printJson({ reference: wanted, ...status })
        else print(`${wanted} is marked as ${status.state}.`)
      }),
    )
}
