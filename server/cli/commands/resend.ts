import type { Command } from 'commander'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import { POLL_EVERY_MS } from '../../outbox/outbox-worker.ts'
import { requeueFailed, requeueLead } from '../../outbox/requeue.ts'
import { CommandError, exitCodes, print, printJson, withDatabase } from '../command-line.ts'
import { reference } from '../options.ts'

/** `leads resend` */
export function addResend(program: Command) {
  const command = program
    .command('resend')
    .argument('[reference]', 'the lead whose emails to send again', reference)
    .description('puts emails back in the queue of the running server')
    .option('--failed', 'only what was given up; without a reference, of all leads')
    .option('--json', 'how many, as a JSON object')
  command.action((wanted: string | undefined, { failed, json }: { failed?: true; json?: true }) =>
    withDatabase(async (db, { now }) => {
      if (!wanted && !failed) command.error('error: name a lead, or --failed for all that was given up')
      const leadId = wanted && (await idOf(db, wanted))
      const mails =
        leadId && !failed ? await requeueLead(db, leadId, now()) : await requeueFailed(db, leadId, now())
      if (mails === 0) throw new CommandError(reasonForNone(failed ?? false), exitCodes.nothingDone)
      if (json) printJson({ mails })
      else
        print(
          `${count(mails, 'email is', 'emails are')} back in the queue. Sending begins within ${POLL_EVERY_MS / 1000} seconds where the server runs with SMTP_URL.`,
        )
    }),
  )
}

async function idOf(db: Database, wanted: string): Promise<string> {
  const lead = await db.selectFrom('leads').select('id').where('reference', '=', wanted).executeTakeFirst()
  if (!lead) throw new CommandError(`There is no lead ${wanted}.`, exitCodes.nothingDone)
  return lead.id
}

const reasonForNone = (onlyFailed: boolean) =>
  onlyFailed
    ? 'No email was given up.'
    : 'There is no email to send again: it is being sent right now, or there is none.'
