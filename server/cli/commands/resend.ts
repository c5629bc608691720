import type { Command } from 'commander'
import { count } from '../../count.ts'
import type { Database } from '../../database/schema.ts'
import { requeueFailed, requeueLead } from '../../outbox/requeue.ts'
import { reference } from '../options.ts'
import { print, printJson } from '../print.ts'
import { CommandError, exitCodes } from '../run-command.ts'
import { withDatabase } from '../with-database.ts'

export function addResend(program: Command) {
  const command = program
    .command('resend')
    .argument('[reference]', 'the lead whose messages are sent again', reference)
    .description('put messages (emails and posts to LEAD_WEBHOOK_URL) back in the queue')
    .option('--failed', 'only messages that the server gave up on; without a reference, for all leads')
    .option('--json', 'print the number of messages, as a JSON object')
  command.action((wanted: string | undefined, { failed, json }: { failed?: true; json?: true }) =>
    withDatabase(async (db, { now }) => {
      if (!wanted && !failed)
        command.error('error: specify a lead, or add --failed to resend every failed message')
      const leadId = wanted && (await idOf(db, wanted))
      const emails =
        leadId && !failed ? await requeueLead(db, leadId, now()) : await requeueFailed(db, leadId, now())
      if (emails === 0) throw new CommandError(nothingToResend(failed ?? false), exitCodes.nothingDone)
      if (json) printJson({ emails })
      else
        print(
          `${count(emails, 'message is', 'messages are')} back in the queue. A running server sends them at once.`,
        )
    }),
  )
}

async function idOf(db: Database, wanted: string): Promise<string> {
  const lead = await db.selectFrom('leads').select('id').where('reference', '=', wanted).executeTakeFirst()
  if (!lead) throw new CommandError(`There is no lead ${wanted}.`, exitCodes.nothingDone)
  return lead.id
}

const nothingToResend = (onlyFailed: boolean) =>
  onlyFailed
    ? 'There are no failed messages.'
    : 'This lead has no messages, or they are being sent right now.'
