import { count } from '#shared/count.ts'
import type { Removed } from '../backup/remove-outdated.ts'
import type { restoreBackup } from '../backup/restore-backup.ts'
import type { ErasedAgain } from '../leads/erase/erasures.ts'
import { printable } from './terminal.ts'

/** What a restore did, for the operator. */
export function describeRestore(done: Awaited<ReturnType<typeof restoreBackup>>): string {
  const { leads, newestLeadAt, waitingEmails, keptAs, leftBehind } = done
  return [
    `Restored ${count(leads, 'lead')}${newestLeadAt ? `, the newest from ${printable(newestLeadAt)}` : ''}.`,
    ...(keptAs ? [`The leads from before the restore are kept in ${keptAs}.`] : []),
    ...(leftBehind?.leads ? [describeLeftBehind(leftBehind)] : []),
    ...(waitingEmails > 0
      ? [
          `${count(waitingEmails, 'email was', 'emails were')} still waiting to be sent when the backup was made. The server sends them again, so some may arrive twice.`,
        ]
      : []),
    ...describeRemoved(done),
    'Now start the server.',
  ].join('\n')
}

/** What was removed from a backup, because it is out of date, or about people who were erased. */
export function describeRemoved({ erasedAgain, withdrawnAnswers, withdrawnPosts }: Removed): string[] {
  return [
    ...(erasedAgain.leads + erasedAgain.messages > 0
      ? [`Erased again: ${erasedInWords(erasedAgain)} of people who were erased after this backup.`]
      : []),
    ...(withdrawnAnswers > 0
      ? [
          `${count(withdrawnAnswers, 'lead', 'leads')} had an answer waiting to be sent when the backup was made. In case it was never sent, it is a draft again.`,
        ]
      : []),
    ...(withdrawnPosts > 0
      ? [
          `${count(withdrawnPosts, 'lead was', 'leads were')} waiting to be posted to LEAD_WEBHOOK_URL when the backup was made, and may have been posted since. To post ${withdrawnPosts === 1 ? 'it' : 'them'}: leads resend --failed`,
        ]
      : []),
    'Everyone is signed out, and all passkeys are deleted, because some may have been removed after the backup. Owners sign in with a code by email; they get an email about this at the next start.',
  ]
}

const erasedInWords = ({ leads, messages }: ErasedAgain) =>
  messages > 0 ? `${count(leads, 'lead')} and ${count(messages, 'message')}` : count(leads, 'lead')

function describeLeftBehind({ leads, unnotified }: { leads: number; unnotified: number }): string {
  const arrived = `${count(leads, 'lead')} arrived after this backup and ${leads === 1 ? 'is' : 'are'} only in that file`
  if (unnotified === 0) return `${arrived}.`
  return `${arrived}; you never got an email about ${leads === 1 ? 'it' : `${unnotified} of them`}.`
}
