import { count } from '../count.ts'
import type { ErasureReport } from './erase-everywhere.ts'

/** The confirmation question, with the leads and files that would change. */
export const askToErase = (email: string, references: string[], files: string[]): string =>
  `Found ${countNames(references, 'lead')} from ${email}. The address is in ${countNames(files, 'file')}.
Erase all of it, in the backups too? This cannot be undone. [y/N] `

/** What was erased, and where the address still appears. */
export function describeErasure(email: string, report: ErasureReport): string {
  const { references, emails, emlFiles, isOurs } = report
  const { newer, erasedFrom, unusable, unread, isLogEmpty, stillIn, isElsewhere } = report
  return [
    `Erased: ${countNames(references, 'lead')}`,
    `        ${count(emails, 'email')} and their delivery log`,
    `        ${count(emlFiles, 'file')} in the mail folder`,
    `        their copies in ${countNames(erasedFrom, 'backup')}`,
    ...(newer.length > 0 ? [describeNewer(newer)] : []),
    ...(unusable.length > 0
      ? [
          `Could not be opened and may contain the address: ${shorten(unusable)}. Close the programs that use these files and run erase again.`,
        ]
      : []),
    // Not shortened, because these files are listed nowhere else.
    ...(unread.length > 0 ? [`Could not be read and may contain the address: ${unread.join(', ')}.`] : []),
    ...(isLogEmpty ? [] : ['Another program is reading the database. Close it and run erase again.']),
    stillIn.length > 0
      ? `${email} is still in: ${shorten(stillIn)}${isOurs ? '. This site uses that address, so it stays.' : ''}`
      : `No ${unread.length > 0 ? 'other ' : ''}file in the data directory contains ${email} anymore.`,
    `Not erased: requests from others that mention the address (to find them: leads list ${email}), copies you keep elsewhere${isElsewhere ? ", PostgreSQL's own logs and backups" : ''}, and emails already sent.`,
  ].join('\n')
}

function describeNewer(newer: string[]): string {
  const [were, them] = newer.length === 1 ? ['was', 'it'] : ['were', 'them']
  return `${count(newer.length, 'newer lead')} arrived after this command started and ${were} kept: ${shorten(newer)}. Run erase again to erase ${them}.`
}

const countNames = (names: string[], thing: string) =>
  `${count(names.length, thing)}${names.length > 0 ? ` (${shorten(names)})` : ''}`

const MAX_NAMES = 5
const shorten = (names: string[]) =>
  names.slice(0, MAX_NAMES).join(', ') +
  (names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : '')
