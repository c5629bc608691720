import type { Command } from 'commander'
import { findLead } from '../../inbox/reads/export-leads.ts'
import { formatLead } from '../format-lead.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

export function addShow(program: Command) {
  program
    .command('show')
    .argument('<reference>', 'the lead', reference)
    .description("show one lead in full, with every attempt to send an email and the mail server's replies")
    .option('--json', 'print the lead as a JSON object')
    .action((wanted: string, { json }: { json?: true }) =>
      withDatabase(async (db) => {
        const lead = await findLead(db, wanted)
        if (!lead) throw new CommandError(`There is no lead ${wanted}.`, exitCodes.nothingDone)
        if (json) printJson(lead)
        else print(formatLead(lead))
      }),
    )
}
