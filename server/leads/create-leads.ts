import type { Context } from '../context.ts'
import type { Keys } from '../database/settings.ts'
import { createClientHash, createKeyedHash } from '../http/client-address.ts'
import { forgetClients } from './contact-limit.ts'
import { createFormTokens } from './form-token.ts'
import type { MailBudget } from './mail-budget.ts'
import { issueFormToken, sendContactEmail } from './send-contact-email.ts'
import { createLearnedWords } from './spam/learned-words.ts'
import { readSamples } from './spam/samples.ts'
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
  const { db, env, now } = context
  const contactLimit = { limit: env.CONTACT_LIMIT, windowSeconds: env.CONTACT_LIMIT_WINDOW_SECONDS }
  const formTokens = createFormTokens(keys.formToken)
  const learnedWords = createLearnedWords({ db, samples: readSamples() })
  const keyedHash = createKeyedHash(keys.clientHash)
  const clientOf = createClientHash(keys.clientHash)
  const submit = createSubmitLead({
    ...context,
    contactLimit,
    mailFrom: env.MAIL_FROM,
    mailTo: env.MAIL_TO,
    sendsReceipts: env.VISITOR_RECEIPT === 'on',
    webhookHost: env.webhook && new URL(env.webhook.url).host,
    keyedHash,
    budget,
    judgeMessage: learnedWords.judge,
    onStored,
  })
  return {
    submit,
    formTokens,
    clientOf,
    keyedHash,
    judgeMessage: learnedWords.judge,
    /** Lets the spam filter learn from the owners' newest verdicts. */
    learnWords: learnedWords.refresh,
    /** Deletes what the limits no longer need. */
    pruneLimits: () => forgetClients(db, contactLimit, now()),
    issueFormToken: issueFormToken({ formTokens, now }),
    sendContactEmail: sendContactEmail({
      ...context,
      allowedOrigins: env.ALLOWED_ORIGINS,
      contactLimit,
      clientOf,
      formTokens,
      submitLead: submit,
    }),
  }
}
