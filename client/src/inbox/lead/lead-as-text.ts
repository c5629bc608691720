import { contactFields } from '#shared/contact-request.ts'
import type { LeadDetail } from '#shared/inbox/lead.ts'
import { planName } from '../words/plan-name.ts'

/** The request as plain text, for pasting elsewhere. */
export function leadAsText(lead: LeadDetail): string {
  const facts = [
    ['Reference', lead.reference],
    ['Name', lead.name],
    [contactFields.email.label, lead.email],
    [contactFields.phone.label, lead.phone],
    [contactFields.company.label, lead.company],
    [contactFields.website.label, lead.website],
    ['Plan', planName(lead.budget)],
  ]
  const lines = facts.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`)
  return `${lines.join('\n')}\n\n${lead.message}\n`
}
