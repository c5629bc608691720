import { contactFieldNames, contactFields } from '#shared/contact-request.ts'
import { digitsOf, fold, foldSpellings } from '#shared/text/fold.ts'
import type { LeadFields } from '../../database/schema.ts'
import { foundIn, joinedOrNot, joinWords, type SearchText, wordsOf } from './found-in.ts'

// A phone number is found by its digits, and the message by the beginnings of its words.
const columns = contactFieldNames.flatMap((field) =>
  field === 'phone' || field === 'budget' || field === 'message' ? [] : [contactFields[field].column],
)

/** The fields of a lead that are searched. */
export type Searchable = Omit<LeadFields, 'budget'> & { reference: string }

/** `said`: what has been written since. `senders`: the addresses from which messages came. */
export function searchTextOf(lead: Searchable, said = '', senders: readonly string[] = []): SearchText {
  const names = [...columns.map((column) => lead[column]), ...senders]
  const phone = fold(lead.phone)
  const texts = foundIn(`${lead.message} | ${said}`)
  return {
    parts: joinWords([
      ...foldSpellings(names.join(' ')).flatMap(joinedOrNot),
      digitsOf(phone),
      ...texts.parts.split(' '),
      fold(lead.reference).replaceAll('-', ''),
    ]),
    // A phone number can contain words, such as "extension".
    words: joinWords([...texts.words.split(' '), ...wordsOf(phone)]),
  }
}
