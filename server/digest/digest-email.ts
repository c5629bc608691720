import { english } from '#shared/computed-facts.ts'
import { inboxPath } from '#shared/inbox/api.ts'
import { countInWords, timeInWords } from '#shared/inbox/words.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { count } from '../count.ts'
import type { Lead } from '../leads/lead-store.ts'
import { bullets, emailBody, facts as factTable, heading, paragraph, subheading } from '../mail/email-body.ts'
import { automatic, type MailAddress, type Message } from '../mail/mailer.ts'
import type { Email } from '../outbox/email.ts'
import { findBackupNotes, findConcerns, megabytes, timeBetween } from './concerns.ts'
import type { DigestFacts } from './digest-facts.ts'
import { listParts } from './digest-lists.ts'

const monthAndDay = new Intl.DateTimeFormat(english, { month: 'long', day: 'numeric', timeZone: 'UTC' })

type Sender = { mailFrom: MailAddress; siteUrl: string; hasInbox: boolean }

/**
 * Writes the digest. It is sent every Monday, even if there is no news, so that a missing one shows that something is
 * broken. `leads` contains the listed leads that have not been deleted since the digest was queued.
 */
export function digestEmail(
  facts: DigestFacts,
  leads: ReadonlyMap<string, Lead>,
  email: Pick<Email, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl, hasInbox }: Sender,
): Message {
  const concerns = findConcerns(facts)
  const summary = summarize(facts)
  const inboxUrl = hasInbox ? siteUrl + inboxPath : undefined
  return {
    ...automatic(mailFrom, email),
    subject: `${concerns.length > 0 ? 'Action needed: ' : ''}${summary} at ${new URL(siteUrl).host}`,
    date: new Date(facts.until),
    ...emailBody({
      title: summary,
      parts: [
        heading(summary),
        paragraph(`Since ${officeTimeInWords(new Date(facts.since))}.${describeWaiting(facts)}`, 'quiet'),
        ...(concerns.length > 0 ? [subheading('Action needed', 'warning'), bullets(concerns)] : []),
        ...listParts(facts, leads, inboxUrl),
        ...weekParts(facts),
        subheading('The server'),
        factTable(describeServer(facts)),
        ...findBackupNotes(facts).map((note) => paragraph(note, 'quiet')),
      ],
      footer: [
        inboxUrl ?? siteUrl,
        'You get this report every Monday, and every day while action is needed. If it stops, something is broken.',
      ],
    }),
  }
}

/** "2 new requests, 1 suspect". */
function summarize({ newLeads: { count: requests, suspects } }: DigestFacts): string {
  const news = requests === 0 ? 'No new requests' : count(requests, 'new request')
  return suspects > 0 ? `${news}, ${count(suspects, 'suspect')}` : news
}

function describeWaiting({ open }: DigestFacts): string {
  if (open.waiting === 0) return ' Nobody is waiting.'
  const waiting = `${countInWords(open.waiting)} ${open.waiting === 1 ? 'person is' : 'people are'} waiting`
  return ` ${waiting}, ${open.late === 0 ? 'none' : countInWords(open.late)} of them longer than promised.`
}

function weekParts({ week }: DigestFacts) {
  const { leads, answered, medianMinutesToAnswer: median, onTime, due } = week
  return [
    subheading(`The week of ${monthAndDay.format(new Date(week.week))}`),
    factTable([
      ['Requests', String(leads)],
      ['Answered', String(answered)],
      ['Median time to answer', median === null ? 'no answers' : timeInWords(median)],
      ['Promise kept', due === 0 ? 'nothing was due' : `${onTime} of ${due}`],
    ]),
  ]
}

function describeServer(facts: DigestFacts): [string, string][] {
  const { lastBackupAt, until, freeBytes, databaseBytes } = facts
  const used = `the requests use ${megabytes(databaseBytes)}`
  return [
    ['Last backup', lastBackupAt ? `${timeBetween(lastBackupAt, until)} ago` : 'none'],
    freeBytes === null ? ['Database', used] : ['Disk', `${megabytes(freeBytes)} free, ${used}`],
  ]
}
