import { randomUUID } from 'node:crypto'
import { type Command, InvalidArgumentError } from 'commander'
import { leadChanges } from '#shared/inbox/lead.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import { noteLead } from '../../inbox/leads/mark-lead.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { refusable } from '../refusable.ts'
import { withDatabase } from '../with-database.ts'

export function addNote(program: Command) {
  program
    .command('note')
    .argument('<reference>', 'the lead', reference)
    .argument('<text>', 'the note', noteText)
    .description('add a note to a lead')
    .option('--json', 'print the state of the lead, as a JSON object')
    .action((wanted: string, text: string, { json }: { json?: true }) =>
      withDatabase(async (db, { now }) => {
        const note = { reference: wanted, who: 'shell', text, key: randomUUID() }
        const status = await refusable(noteLead({ write: createGroupCommit(db), now }, note))
        if (json) printJson({ reference: wanted, ...status })
        else print(`Note added to ${wanted}.`)
      }),
    )
}

function noteText(value: string): string {
  const note = leadChanges.notes.shape.text.safeParse(value)
  if (note.success) return note.data
  throw new InvalidArgumentError(String(note.error.issues[0]?.message))
}
