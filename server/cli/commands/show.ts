import type { Command } from 'commander'
import type { Database } from '../../database/schema.ts'
import { findLead, findPerson } from '../../inbox/records/read-leads.ts'
import { formatLead } from '../format-lead.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

export function addShow(program: Command) {
  program
    .command('show')
    .argument(
      '<lead>',
      'a reference such as Q-7K3M-9QXD, or an email address, to show its newest lead',
      reference,
    )
    .description("show one lead in full, with every attempt to send an email and the mail server's replies")
    .option('--json', 'print the lead as a JSON object')
    .action((wanted: string, { json }: { json?: true }) =>
      withDatabase(async (db) => {
        const { lead, earlier } = await find(db, wanted)
        if (!lead)
          throw new CommandError(
            `There is no lead ${wanted.includes('@') ? 'from ' : ''}${wanted}.`,
            exitCodes.nothingDone,
          )
        if (json) return printJson(lead)
        print(formatLead(lead))
        if (earlier.length > 0) print(`\nEarlier from the same address: ${earlier.join(', ')}`)
      }),
    )
}

const find = async (db: Database, wanted: string) =>
  wanted.includes('@') ? findPerson(db, wanted) : { lead: await findLead(db, wanted), earlier: [] }
