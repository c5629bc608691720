import type { restoreBackup } from '../backup/restore-backup.ts'
import { count } from '../count.ts'
import { printable } from './terminal-text.ts'

/** What a restore has done, in sentences for the operator. */
export function describeRestore(done: Awaited<ReturnType<typeof restoreBackup>>): string {
  const { leads, newestLeadAt, waitingMails, withdrawn, schema, keptAs, leftBehind } = done
  return [
    `Restored ${count(leads, 'lead')}${newestLeadAt ? `, the newest from ${printable(newestLeadAt)}` : ''}.`,
    ...(keptAs ? [`The leads from before, also those that came later, are kept in ${keptAs}.`] : []),
    ...(leftBehind?.leads ? [describeLeftBehind(leftBehind)] : []),
    ...(schema === 'older' ? ['It is from an older version; the next start brings it up to date.'] : []),
    ...(waitingMails > 0
      ? [
          `${count(waitingMails, 'email was', 'emails were')} waiting then; the server sends what it finds, some perhaps a second time.`,
        ]
      : []),
    ...(withdrawn > 0
      ? [
          `${count(withdrawn, 'receipt or report that was', 'receipts and reports that were')} waiting then ${withdrawn === 1 ? 'is' : 'are'} not sent: so late, they would only confuse.`,
        ]
      : []),
    'Now start the server.',
  ].join('\n')
}

function describeLeftBehind({ leads, untold }: { leads: number; untold: number }): string {
  const arrived = `${count(leads, 'lead')} came after this backup and ${leads === 1 ? 'is' : 'are'} only there`
  if (untold === 0) return `${arrived}.`
  return untold === 1
    ? `${arrived}; an email about 1 of them was never sent.`
    : `${arrived}; emails about ${untold} of them were never sent.`
}
