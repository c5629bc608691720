import { replyDueAt } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import type { Keys } from '../database/notes.ts'
import { createClientHash, createKeyedHash, networkOf } from '../http/client-address.ts'
import type { MailBudget } from '../leads/emails/mail-budget.ts'
import { forgetClients } from '../leads/erase/retention.ts'
import { createLearnedWords } from '../spam/learned-words.ts'
import { readSamples } from '../spam/samples.ts'
import { createFormTokens } from './form-token.ts'
import { sendContactEmail } from './send-contact-email.ts'
import { createSubmitLead } from './submit-lead.ts'

type Options = {
  keys: Keys
  budget: MailBudget
  /** Is called after a lead and its emails have been stored. */
  onStored: () => void
}
export type Leads = ReturnType<typeof createLeads>

/** Receives leads from the contact form. */
export function createLeads(context: Context, { keys, budget, onStored }: Options) {
  const { db, now } = context
  const formTokens = createFormTokens(keys.formToken)
  const learnedWords = createLearnedWords({ db, samples: readSamples() })
  const clientOf = createClientHash(keys.clientHash)
  const submitLead = createSubmitLead({
    ...context,
    budget,
    judgeMessage: learnedWords.judge,
    replyDueAt,
    onStored,
  })
  return {
    submit: submitLead,
    formTokens,
    clientOf,
    keyedHash: createKeyedHash(keys.clientHash),
    judgeMessage: learnedWords.judge,
    /** Lets the spam filter learn from the owners' newest verdicts. */
    learnWords: learnedWords.refresh,
    /** Deletes what the limits no longer need. */
    pruneLimits: () => forgetClients(db, now()),
    sendContactEmail: sendContactEmail({ ...context, networkOf, clientOf, formTokens, submitLead }),
  }
}
