import type { Command } from 'commander'
import { CommandError, exitCodes, print, printJson, withDatabase } from '../command-line.ts'
import { formatLead } from '../format-lead.ts'
import { reference } from '../options.ts'
import { findLead } from '../read-leads.ts'

/** `leads show` */
export function addShow(program: Command) {
  program
    .command('show')
    .argument('<reference>', 'such as Q-7K3M-9QXD', reference)
    .description('one lead, whole, with every attempt to mail it and what the mail server said')
    .option('--json', 'as a JSON object')
    .action((wanted: string, { json }: { json?: true }) =>
      withDatabase(async (db) => {
        const lead = await findLead(db, wanted)
        if (!lead) throw new CommandError(`There is no lead ${wanted}.`, exitCodes.nothingDone)
        if (json) printJson(lead)
        else print(formatLead(lead))
      }),
    )
}
