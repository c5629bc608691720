import { inboxPath } from '#shared/inbox/api.ts'
import { countInWords } from '#shared/inbox/words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import type { Database } from '../database/schema.ts'
import { describePerson } from '../digest/digest-lists.ts'
import { countLate } from '../inbox/reads/figures.ts'
import { lateLeads } from '../inbox/reads/lists.ts'
import { type Lead, toLead } from '../leads/lead-store.ts'
import { answeredLink } from '../leads/owner-notice.ts'
import { buttons, emailBody, heading, paragraph, people } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'

// A longer list would be too much to read in an email. The inbox shows all late leads.
const MAX_LISTED = 30

/** `count` is the number of all late leads, as in the inbox. `listed` has only the most urgent ones. */
type LateLeads = { count: number; listed: Lead[] }

/** The leads that are still waiting for a reply that was due before `at`. */
export async function readLateLeads(db: Database, at: Date): Promise<LateLeads> {
  const late = lateLeads(db, at).selectAll().orderBy('sort_key').orderBy('id').limit(MAX_LISTED)
  const listed = await late.execute()
  return { count: await countLate(db, at), listed: listed.map(toLead) }
}

/**
 * `opened` is when the office opened. The leads' names aren't stored with the email, but read when it is sent, so that the
 * database doesn't contain them twice.
 */
export type LateListContent = { opened: string }

/** Tells an owner, when the office opens, which promised replies are late. */
export function lateListEmail(
  { count, listed }: LateLeads,
  { opened }: LateListContent,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Message {
  const inboxUrl = `${siteUrl}${inboxPath}`
  const subject = `${countInWords(count)} ${count === 1 ? 'person is' : 'people are'} still waiting for a promised reply`
  return {
    ...automatic(mailFrom, email),
    subject,
    date: new Date(opened),
    ...emailBody({
      title: subject,
      parts: [
        heading(subject),
        people(
          listed.map((lead) => ({
            ...describePerson(lead, inboxUrl),
            details: `Reply promised by ${officeTimeInWords(lead.dueAt)} (${lead.reference})`,
            action: answeredLink(`${inboxUrl}/${lead.reference}`),
          })),
        ),
        ...(count > listed.length ? [paragraph('The inbox shows the others.', 'quiet')] : []),
        buttons([{ label: 'Open the inbox', url: inboxUrl }]),
      ],
      footer: [
        'You get this list each workday when the office opens, unless nobody is waiting.',
        `Sent by ${siteUrl}`,
      ],
    }),
  }
}
