import type { Env } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('reminders')

type Mail = { hasMailServer: boolean; isMailServerBroken: boolean }

/** Checks whether an email warns the owner before a promised reply is late. */
export function checkReminders(
  { REMINDERS, INBOX }: Pick<Env, 'REMINDERS' | 'INBOX'>,
  { hasMailServer, isMailServerBroken }: Mail,
): Finding {
  if (REMINDERS === 'off') return about.ok('REMINDERS is off: no email warns you before a reply is late.')
  if (INBOX === 'off') return about.ok('No reminders are sent, because INBOX is off.')
  if (!hasMailServer)
    return about.warning(
      'REMINDERS is on, but SMTP_URL is not set: no email warns you before a reply is late.',
      'Set SMTP_URL, or set REMINDERS=off and check the inbox yourself.',
    )
  if (isMailServerBroken)
    return about.warning(
      'REMINDERS is on, but the mail server does not work: reminders may come too late.',
      'See the mail server finding in this report. Until the mail server works, check the inbox yourself.',
    )
  return about.ok('An email warns you before a promised reply is late.')
}
