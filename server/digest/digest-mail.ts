import { brand, budgetTiers, promises } from '#shared/business.ts'
import { html } from '../html.ts'
import type { Mail, MailAddress } from '../mail/mailer.ts'
import type { Job } from '../outbox/email.ts'
import { findBackupConcerns, findBackupNotes } from './backup-remarks.ts'
import type { DigestFacts } from './digest-facts.ts'
import { count, duration } from './plain-words.ts'

// Enough for some 100 000 requests; a full disk is what stops the form.
const LITTLE_SPACE_BYTES = 500_000_000

/** What somebody should look at, a sentence each; while there is something, the digest comes daily. */
export function findConcerns(facts: DigestFacts): string[] {
  const { until, newLeads, backlog, givenUp, freeBytes, expiring } = facts
  const now = Date.parse(until)
  const concerns: string[] = []
  if (backlog.waiting > 0 && backlog.oldestAt)
    concerns.push(
      `${count(backlog.waiting, 'email')} to you cannot be sent, the oldest for ${duration(now - Date.parse(backlog.oldestAt))}. Ask "doctor" for the reason.`,
    )
  if (backlog.givenUp > 0)
    concerns.push(
      `${count(backlog.givenUp, 'email')} to you ${backlog.givenUp === 1 ? 'was' : 'were'} given up${givenUp.length > 0 ? `, about ${list(givenUp)}` : ''}. Read the requests with "leads show", send them again with "leads resend --failed".`,
    )
  if (newLeads.withoutEmail > 0)
    concerns.push(
      `${count(newLeads.withoutEmail, 'suspect request')} got no separate email (limit reached). Read them with "leads list".`,
    )
  concerns.push(...findBackupConcerns(facts))
  if (freeBytes !== null && freeBytes < LITTLE_SPACE_BYTES)
    concerns.push(`The disk has ${megabytes(freeBytes)} left.`)
  if (expiring.leads > 0)
    concerns.push(
      `${count(expiring.leads, 'old request')} will be deleted within two days, as RETENTION_DAYS says: ${list(expiring.references)}${expiring.leads > expiring.references.length ? ' and others' : ''}.`,
    )
  return concerns
}

/** The report to the owner. It comes even when there is nothing to tell: its silence means that something is broken. Pure. */
export function digestMail(
  facts: DigestFacts,
  job: Pick<Job, 'recipient' | 'messageId'>,
  { mailFrom, siteUrl }: { mailFrom: MailAddress; siteUrl: string },
): Mail {
  const concerns = findConcerns(facts)
  const { newLeads } = facts
  const suspects = newLeads.suspects > 0 ? `, ${newLeads.suspects} of them suspect` : ''
  const summary = `${count(newLeads.count, 'new request')}${suspects}`
  const leads = newLeads.listed.map((lead) => describeLead(lead, facts.until))
  const rest = newLeads.count - leads.length
  if (rest > 0) leads.push(`and ${rest} older ${rest === 1 ? 'one' : 'ones'}: "leads list" shows them all.`)
  const reminder = newLeads.count > 0 ? `You promise an answer within ${promises.emailReply}.` : ''
  const state = [
    `Mail: ${facts.backlog.waiting + facts.backlog.givenUp === 0 ? 'nothing is waiting' : 'see above'}`,
    `Last backup: ${facts.lastBackupAt ? `${duration(Date.parse(facts.until) - Date.parse(facts.lastBackupAt))} ago` : 'none'}`,
    ...findBackupNotes(facts),
    `${facts.freeBytes === null ? 'Database: ' : `Disk: ${megabytes(facts.freeBytes)} free, `}the requests take ${megabytes(facts.databaseBytes)}`,
  ]
  const silence =
    'This report comes every Monday, and every day while something needs a look. If it does not come, something is broken.'

  return {
    from: { name: mailFrom.name ?? `${brand.name} website`, address: mailFrom.address },
    to: job.recipient,
    subject: `${concerns.length > 0 ? 'Needs a look: ' : ''}${summary} at ${new URL(siteUrl).host}`,
    date: new Date(facts.until),
    messageId: job.messageId,
    boundary: job.messageId.replace(/\W/g, ''),
    isAutomatic: true,
    text: [
      ...(concerns.length > 0 ? ['Needs a look:', ...concerns.map((line) => `- ${line}`), ''] : []),
      `${summary} since ${facts.since.slice(0, 10)}.`,
      ...leads.map((line) => `- ${line}`),
      ...(reminder ? [reminder] : []),
      '',
      ...state,
      '',
      '-- ',
      siteUrl,
      silence,
      '',
    ].join('\n'),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${summary}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 -apple-system,'Segoe UI',Roboto,Arial,sans-serif">
<div style="max-width:600px;margin:0 auto">
${concerns.length > 0 ? html`<h2 style="margin:0;font-size:16px;color:#c2410c">Needs a look</h2>${bullets(concerns)}` : html``}
<h1 style="margin:0;font-size:24px;line-height:1.2">${summary}</h1>
<p style="margin:4px 0 8px;font-size:14px;opacity:.75">since ${facts.since.slice(0, 10)}. ${reminder}</p>
${leads.length > 0 ? bullets(leads) : html``}
<p style="font-size:14px">${state.map((line) => html`${line}<br>`)}</p>
<p style="margin:32px 0 0;font-size:13px;opacity:.75"><a href="${siteUrl}">${siteUrl}</a><br>${silence}</p>
</div>
</body>
</html>
`.toString(),
  }
}

const bullets = (lines: readonly string[]) =>
  html`<ul style="margin:4px 0 16px;padding-left:20px">${lines.map((line) => html`<li>${line}</li>`)}</ul>`

function describeLead(
  { reference, at, budget, doubts }: DigestFacts['newLeads']['listed'][number],
  until: string,
): string {
  const plan = budget === '' ? 'no budget named' : budgetTiers[budget]
  const age = `${duration(Date.parse(until) - Date.parse(at))} ago`
  const suspect = doubts.length > 0 ? `; suspect: ${doubts.join(', ')}` : ''
  return `${reference}, ${age}, ${plan}${suspect}`
}

const list = (references: readonly string[]) => references.join(', ')

const megabytes = (bytes: number) =>
  bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${(bytes / 1e6).toFixed(1)} MB`
