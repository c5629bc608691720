import type { Selectable } from 'kysely'
import * as z from 'zod'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { leadSource } from '#shared/inbox/lead.ts'
import type { Schema } from '../database/schema.ts'
import { parseSource } from '../leads/lead-source.ts'
import { isSuspect, parseReasons } from '../leads/spam-score.ts'

const budgets = Object.keys(budgetTiers) as (keyof typeof budgetTiers)[]
const time = z.iso.datetime()

/** The JSON that is posted for each lead. webhook.md explains the fields. If one changes its meaning, increase `version`. */
export const leadCreated = z.strictObject({
  type: z.literal('lead.created'),
  version: z.literal(1),
  /** One line for people, which Slack and Mattermost show. Without visitors' text, which could mention everyone. */
  text: z.string(),
  /** When the visitor sent the request. */
  timestamp: time,
  data: z.strictObject({
    id: z.uuid(),
    reference: z.string(),
    firstName: z.string(),
    lastName: z.string(),
    email: z.string(),
    phone: z.string(),
    company: z.string(),
    website: z.string(),
    budget: z.enum(['', ...budgets]),
    message: z.string(),
    receivedAt: time,
    /** When the promised reply is due. */
    replyDueAt: time,
    /** Null if the inbox is off. */
    inboxUrl: z.nullable(z.url()),
    source: leadSource,
    spam: z.strictObject({ isSuspect: z.boolean(), score: z.number(), reasons: z.array(z.string()) }),
  }),
})
export type LeadCreated = z.infer<typeof leadCreated>

type Site = { siteUrl: string; hasInbox: boolean }

/** Describes a lead as it came in, so that every attempt posts the same bytes, unless an owner gave a verdict in between. */
export const describeLead = (
  lead: Selectable<Schema['leads']>,
  { siteUrl, hasInbox }: Site,
): LeadCreated => ({
  type: 'lead.created',
  version: 1,
  text: `New request ${lead.reference}${hasInbox ? `: ${inboxUrlOf(lead, siteUrl)}` : ''}`,
  timestamp: lead.created_at,
  data: {
    id: lead.id,
    reference: lead.reference,
    firstName: lead.first_name,
    lastName: lead.last_name,
    email: lead.email,
    phone: lead.phone,
    company: lead.company,
    website: lead.website,
    budget: lead.budget,
    message: lead.message,
    receivedAt: lead.created_at,
    replyDueAt: lead.due_at,
    inboxUrl: hasInbox ? inboxUrlOf(lead, siteUrl) : null,
    source: parseSource(lead.source),
    spam: {
      isSuspect: lead.verdict ? lead.verdict === 'spam' : isSuspect(lead.spam_score),
      score: lead.spam_score,
      reasons: parseReasons(lead.spam_reasons),
    },
  },
})

const inboxUrlOf = ({ reference }: { reference: string }, siteUrl: string) =>
  `${siteUrl}${inboxPath}/${reference}`
