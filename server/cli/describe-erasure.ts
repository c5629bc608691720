import { count } from '../count.ts'
import type { Erasure } from './commands/erase.ts'

/** What there is to erase, and whether to. */
export function askToErase(email: string, references: string[], files: string[]): string {
  const leads =
    references.length > 0 ? `${count(references.length, 'lead')} (${some(references)})` : 'No lead'
  return `${leads} came from ${email}. The address is in ${count(files.length, 'file')} (${some(files)}).
Erase all of it, in the backups too? This cannot be undone. [y/N] `
}

/** What was erased, and what still holds the address. */
export function describeErasure(email: string, result: Erasure): string {
  const { references, mails, unsent, attempts, copies, isOurs } = result
  const { newer, erasedFrom, unusable, unread, isLogEmpty, stillIn, namedBy, isElsewhere } = result
  return [
    `Erased: ${counted(references, 'lead')}`,
    `        ${count(mails, 'email')}${unsent > 0 ? ` (${unsent} not yet sent)` : ''}, with ${count(attempts, 'line')} of the ledger`,
    `        ${count(copies, 'file')} in the mail folder`,
    `        the same in ${counted(erasedFrom, 'backup')}`,
    ...(newer.length > 0 ? [describeNewer(newer)] : []),
    ...(unusable.length > 0
      ? [
          `Could not be opened, and may hold it: ${some(unusable)}. Run erase again when nothing else uses it.`,
        ]
      : []),
    // All of them: nobody else says which.
    ...(unread.length > 0 ? [`Could not be looked into, and may hold it: ${unread.join(', ')}.`] : []),
    ...(isLogEmpty ? [] : ['Another program is reading the database: close it and run erase again.']),
    ...(namedBy.length > 0
      ? [`The text of ${some(namedBy)} names the address. That is somebody else's lead and was left.`]
      : []),
    stillIn.length > 0
      ? `${email} still stands in: ${some(stillIn)}${isOurs ? '. It is an address of this site, and as such it stays.' : ''}`
      : `${email} stands in no ${unread.length > 0 ? 'other ' : ''}file of the data directory any more.`,
    `Not within reach: copies of the data kept elsewhere${isElsewhere ? ", PostgreSQL's own log and backups" : ''}, and emails that were sent.`,
  ].join('\n')
}

function describeNewer(newer: string[]): string {
  const [were, them] = newer.length === 1 ? ['was', 'it'] : ['were', 'them']
  return `${count(newer.length, 'newer lead')} arrived meanwhile and ${were} kept: ${some(newer)}. Run erase again to remove ${them}.`
}

const counted = (names: string[], thing: string) =>
  `${count(names.length, thing)}${names.length > 0 ? ` (${some(names)})` : ''}`

const SOME = 5
const some = (names: string[]) =>
  names.length > SOME
    ? `${names.slice(0, SOME).join(', ')} and ${names.length - SOME} more`
    : names.join(', ')
