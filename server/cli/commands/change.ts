import { Argument, type Command } from 'commander'
import { count } from '#shared/count.ts'
import { leadResults, leadStates } from '#shared/inbox/lead.ts'
import { createGroupCommit } from '../../database/group-commit.ts'
import type { Database } from '../../database/schema.ts'
import { Problem } from '../../errors/problem.ts'
import { markLead, markResult } from '../../leads/change/mark-lead.ts'
import { allNoticeAddresses } from '../../leads/emails/notice-addresses.ts'
import { requeueFailed, requeueLead } from '../../outbox/resend.ts'
import { reference } from '../options.ts'
import { CommandError, exitCodes, noLead, withDatabase } from '../run-command.ts'
import { print } from '../terminal.ts'

const marks = [...leadStates, ...leadResults, 'undecided'] as const
type Mark = (typeof marks)[number]

export function addMark(program: Command) {
  program
    .command('mark')
    .argument('<reference>', 'the lead', reference)
    .addArgument(new Argument('<what>', 'its new state or result').choices(marks))
    .description('change the state or the result of a lead, as in the inbox')
    .action((wanted: string, what: Mark) =>
      withDatabase(async (db) => {
        const { version } = (await findLead(db, wanted)) ?? noLead(wanted)
        const change = { reference: wanted, version, who: 'shell' }
        const deps = { write: createGroupCommit(db), now: () => new Date() }
        const status =
          what === 'won' || what === 'lost' || what === 'undecided'
            ? markResult(deps, { ...change, result: what === 'undecided' ? null : what })
            : markLead(deps, { ...change, state: what })
        await status.catch(refuse)
        print(`${wanted} is marked as ${what}.`)
      }),
    )
}

export function addResend(program: Command) {
  const command = program
    .command('resend')
    .argument('[reference]', 'the lead whose messages are sent again', reference)
    .description('put messages (emails and posts to LEAD_WEBHOOK_URL) back in the queue')
    .option('--failed', 'only messages that the server gave up on; without a reference, for all leads')
  command.action((wanted: string | undefined, { failed }: { failed?: true }) =>
    withDatabase(async (db, env) => {
      if (!wanted && !failed)
        command.error('error: specify a lead, or add --failed to resend every failed message')
      const leadId = wanted && ((await findLead(db, wanted)) ?? noLead(wanted)).id
      const emails =
        leadId && !failed
          ? await requeueLead(db, leadId, new Date(), {
              addresses: allNoticeAddresses(env),
              webhook: env.webhook,
            })
          : await requeueFailed(db, leadId, new Date())
      if (emails === 0)
        throw new CommandError(
          failed
            ? 'There are no failed messages.'
            : 'This lead has no messages, or they are being sent right now.',
          exitCodes.nothingDone,
        )
      print(
        `${count(emails, 'message is', 'messages are')} back in the queue. A running server sends them at once.`,
      )
    }),
  )
}

const findLead = (db: Database, wanted: string) =>
  db.selectFrom('leads').select(['id', 'version']).where('reference', '=', wanted).executeTakeFirst()

/** If the lead's state can't become this one. */
function refuse(error: unknown): never {
  throw error instanceof Problem ? new CommandError(error.message, exitCodes.nothingDone) : error
}
