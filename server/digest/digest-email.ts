import { brand, budgetTiers, promises } from '#shared/business.ts'
import { count } from '../count.ts'
import { html } from '../html.ts'
import { emailPage } from '../mail/email-page.ts'
import type { Email, MailAddress } from '../mail/mailer.ts'
import type { Backlog } from '../outbox/backlog.ts'
import type { Job } from '../outbox/email.ts'
import { findBackupConcerns, findBackupNotes } from './backup-concerns.ts'
import type { DigestFacts } from './digest-facts.ts'
import { duration } from './duration.ts'

// Room for about 100,000 requests. On a full disk, the form stops working.
const LOW_SPACE_BYTES = 500_000_000

/** Problems that need action, one sentence each. If there are any, the digest is sent daily. */
export function findConcerns(facts: DigestFacts): string[] {
  const { until, newLeads, backlog, givenUp, freeBytes, expiring } = facts
  const now = Date.parse(until)
  const concerns: string[] = []
  if (backlog.waiting > 0 && backlog.oldestAt)
    concerns.push(
      `${count(backlog.waiting, 'email')} to you cannot be sent; the oldest has been waiting for ${duration(now - Date.parse(backlog.oldestAt))}. Run "doctor" to find out why.`,
    )
  if (backlog.givenUp > 0)
    concerns.push(
      `The server gave up on ${count(backlog.givenUp, 'email')} to you${givenUp.length > 0 ? `, about ${givenUp.join(', ')}` : ''}. Read the requests with "leads show", and send the emails again with "leads resend --failed".`,
    )
  if (backlog.posts) concerns.push(...findPostConcerns(backlog.posts, now))
  if (newLeads.withoutEmail > 0)
    concerns.push(
      `${count(newLeads.withoutEmail, 'request')} suspected of being spam got no separate email (limit reached). Read them with "leads list".`,
    )
  concerns.push(...findBackupConcerns(facts))
  if (freeBytes !== null && freeBytes < LOW_SPACE_BYTES)
    concerns.push(`The disk has only ${megabytes(freeBytes)} left.`)
  if (expiring.leads > 0)
    concerns.push(
      `${count(expiring.leads, 'old request')} will be deleted within two days because of RETENTION_DAYS: ${expiring.references.join(', ')}${expiring.leads > expiring.references.length ? ' and others' : ''}.`,
    )
  return concerns
}

/** Leads that another program should have got through LEAD_WEBHOOK_URL. */
const findPostConcerns = ({ waiting, oldestAt, givenUp }: NonNullable<Backlog['posts']>, now: number) => [
  ...(waiting > 0 && oldestAt
    ? [
        `${count(waiting, 'request')} cannot be posted to LEAD_WEBHOOK_URL; the oldest has been waiting for ${duration(now - Date.parse(oldestAt))}. "leads show" says why.`,
      ]
    : []),
  ...(givenUp > 0
    ? [
        `The server gave up posting ${count(givenUp, 'request')} to LEAD_WEBHOOK_URL. To post ${givenUp === 1 ? 'it' : 'them'} again: "leads resend --failed".`,
      ]
    : []),
]

/** The report to the owner. It is sent even without news, so that its absence shows that something is broken. */
export function digestEmail(
  facts: DigestFacts,
  job: Pick<Job, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Email {
  const concerns = findConcerns(facts)
  const { newLeads } = facts
  const suspects = newLeads.suspects > 0 ? `, ${newLeads.suspects} of them suspected spam` : ''
  const summary = `${newLeads.count === 0 ? 'No new requests' : count(newLeads.count, 'new request')}${suspects}`
  const leads = newLeads.listed.map((lead) => describeLead(lead, facts.until))
  const rest = newLeads.count - leads.length
  if (rest > 0) leads.push(`and ${rest} older ${rest === 1 ? 'one' : 'ones'}: "leads list" shows them all.`)
  const reminder = newLeads.count > 0 ? `You promise a reply within ${promises.emailReply}.` : ''
  const state = [
    `Email: ${facts.backlog.waiting + facts.backlog.givenUp === 0 ? 'nothing is waiting' : 'see above'}`,
    `Last backup: ${facts.lastBackupAt ? `${duration(Date.parse(facts.until) - Date.parse(facts.lastBackupAt))} ago` : 'none'}`,
    ...findBackupNotes(facts),
    `${facts.freeBytes === null ? 'Database: ' : `Disk: ${megabytes(facts.freeBytes)} free, `}the requests use ${megabytes(facts.databaseBytes)}`,
  ]
  const schedule =
    'You get this report every Monday, and every day while action is needed. If it stops, something is broken.'

  return {
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    to: job.recipient,
    subject: `${concerns.length > 0 ? 'Action needed: ' : ''}${summary} at ${new URL(siteUrl).host}`,
    date: new Date(facts.until),
    messageId: job.messageId,
    boundary: job.messageId.replace(/\W/g, ''),
    isAutomatic: true,
    text: [
      ...(concerns.length > 0 ? ['Action needed:', ...concerns.map((line) => `- ${line}`), ''] : []),
      `${summary} since ${facts.since.slice(0, 10)}.`,
      ...leads.map((line) => `- ${line}`),
      ...(reminder ? [reminder] : []),
      '',
      ...state,
      '',
      '-- ',
      siteUrl,
      schedule,
      '',
    ].join('\n'),
    html: emailPage(
      summary,
      html`${concerns.length > 0 ? html`<h2 style="margin:0;font-size:16px;color:#c2410c">Action needed</h2>${bullets(concerns)}` : html``}
<h1 style="margin:0;font-size:24px;line-height:1.2">${summary}</h1>
<p style="margin:4px 0 8px;font-size:14px;opacity:.75">since ${facts.since.slice(0, 10)}. ${reminder}</p>
${leads.length > 0 ? bullets(leads) : html``}
<p style="font-size:14px">${state.map((line) => html`${line}<br>`)}</p>
<p style="margin:32px 0 0;font-size:13px;opacity:.75"><a href="${siteUrl}">${siteUrl}</a><br>${schedule}</p>`,
    ),
  }
}

const bullets = (lines: readonly string[]) =>
  html`<ul style="margin:4px 0 16px;padding-left:20px">${lines.map((line) => html`<li>${line}</li>`)}</ul>`

function describeLead(
  { reference, at, budget, doubts }: DigestFacts['newLeads']['listed'][number],
  until: string,
): string {
  const plan = budget === '' ? 'no budget given' : budgetTiers[budget]
  const age = `${duration(Date.parse(until) - Date.parse(at))} ago`
  const suspect = doubts.length > 0 ? `; suspected spam: ${doubts.join(', ')}` : ''
  return `${reference}, ${age}, ${plan}${suspect}`
}

const megabytes = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
