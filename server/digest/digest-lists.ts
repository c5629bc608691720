import { budgetTiers } from '#shared/budget-tiers.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { hasWords, type Lead } from '../leads/lead-store.ts'
import { type Part, paragraph, people, subheading } from '../mail/email-body.ts'
import type { DigestFacts, ListedLead } from './digest-facts.ts'

// Longer names are cut off: a name and a company can have 400 characters together.
const MAX_NAME = 80

/** The references of the leads that the digest names. */
export const listedIn = ({ newLeads, open }: DigestFacts): string[] =>
  [newLeads.listed, newLeads.suspected, open.listed].flat().map(({ reference }) => reference)

/** Lists who wrote, who is still waiting, and who is suspected of spam. */
export function listParts(
  { newLeads, open }: DigestFacts,
  leads: ReadonlyMap<string, Lead>,
  inboxUrl: string | undefined,
): Part[] {
  const section = (
    title: string,
    listed: readonly ListedLead[],
    hasMore: boolean,
    describe: (lead: Lead) => string,
  ) => {
    const persons = listed.flatMap(({ reference, standing, addressDoubt }) => {
      const lead = leads.get(reference)
      if (!lead) return []
      const details = addressDoubt && hasWords(lead) ? `${describe(lead)}. ${addressDoubt}` : describe(lead)
      return [{ ...describePerson(lead, inboxUrl), standing, details }]
    })
    if (persons.length === 0) return []
    const more = inboxUrl ? `The inbox shows the others: ${inboxUrl}` : '"leads list" shows the others.'
    return [subheading(title), people(persons), ...(hasMore ? [paragraph(more, 'quiet')] : [])]
  }
  const { listed, suspected } = newLeads
  return [
    ...section('New', listed, newLeads.count > listed.length, describeRequest),
    ...section('Still open from before', open.listed, open.hasMore, describeRequest),
    ...section('Suspected spam', suspected, newLeads.suspects > suspected.length, describeSuspect),
  ]
}

/** A person's name, with a link to the lead. */
export const describePerson = (
  { reference, firstName, lastName, company }: Lead,
  inboxUrl: string | undefined,
) => ({
  name: [`${firstName} ${lastName}`, company].filter(Boolean).join(', ').slice(0, MAX_NAME),
  url: inboxUrl && `${inboxUrl}/${reference}`,
})

const describeRequest = ({ reference, budget, createdAt }: Lead): string =>
  `${budget === '' ? 'no budget given' : budgetTiers[budget]}, ${officeTimeInWords(createdAt)}, ${reference}`

/** Why a lead is suspected of spam. */
export const describeSuspect = ({ reference, spam }: Lead): string =>
  `${spam.reasons.join('; ')} (${reference})`
