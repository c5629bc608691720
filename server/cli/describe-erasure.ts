import { count } from '../count.ts'
import type { ErasureReport } from './erase-everywhere.ts'

/** What would be erased, and the question whether to do it. */
export const askToErase = (email: string, references: string[], files: string[]): string =>
  `Found ${counted(references, 'lead')} from ${email}. The address is in ${counted(files, 'file')}.
Erase all of it, in the backups too? This cannot be undone. [y/N] `

/** What was erased, and where the address remains. */
export function describeErasure(email: string, report: ErasureReport): string {
  const { references, mails, unsent, attempts, emlFiles, isOurs } = report
  const { newer, erasedFrom, unusable, unread, isLogEmpty, stillIn, namedBy, isElsewhere } = report
  return [
    `Erased: ${counted(references, 'lead')}`,
    `        ${count(mails, 'email')}${unsent > 0 ? ` (${unsent} not sent yet)` : ''} and ${count(attempts, 'line')} of the delivery log`,
    `        ${count(emlFiles, 'file')} in the mail folder`,
    `        the same from ${counted(erasedFrom, 'backup')}`,
    ...(newer.length > 0 ? [describeNewer(newer)] : []),
    ...(unusable.length > 0
      ? [
          `Could not be opened and may contain the address: ${some(unusable)}. Close the programs that use it and run erase again.`,
        ]
      : []),
    // All of them: they are listed nowhere else.
    ...(unread.length > 0 ? [`Could not be read and may contain the address: ${unread.join(', ')}.`] : []),
    ...(isLogEmpty ? [] : ['Another program is reading the database. Close it and run erase again.']),
    ...(namedBy.length > 0
      ? [`The text of ${some(namedBy)} mentions the address. Someone else sent that lead, so it was kept.`]
      : []),
    stillIn.length > 0
      ? `${email} is still in: ${some(stillIn)}${isOurs ? '. It is an address of this site, so it stays.' : ''}`
      : `${email} is in no ${unread.length > 0 ? 'other ' : ''}file of the data directory anymore.`,
    `Not erased: copies you keep elsewhere${isElsewhere ? ", PostgreSQL's own logs and backups" : ''}, and emails already sent.`,
  ].join('\n')
}

function describeNewer(newer: string[]): string {
  const [were, them] = newer.length === 1 ? ['was', 'it'] : ['were', 'them']
  return `${count(newer.length, 'newer lead')} arrived meanwhile and ${were} kept: ${some(newer)}. Run erase again to erase ${them}.`
}

const counted = (names: string[], thing: string) =>
  `${count(names.length, thing)}${names.length > 0 ? ` (${some(names)})` : ''}`

const SOME = 5
const some = (names: string[]) =>
  names.length > SOME
    ? `${names.slice(0, SOME).join(', ')} and ${names.length - SOME} more`
    : names.join(', ')
