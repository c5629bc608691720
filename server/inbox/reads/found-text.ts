import { setImmediate as nextTurn } from 'node:timers/promises'
import { digitsOf, fold, foldSpellings, isAscii, isNumeric } from '#shared/fold.ts'
import type { Found, LeadPage } from '#shared/inbox/lead.ts'
import type { Database } from '../../database/schema.ts'
import { isAlike } from '../../leads/search-terms.ts'
import { joinedOrNot, writtenEvents } from '../../leads/search-text.ts'
import { cutText, type Row } from './lists.ts'

// A lead with a longer conversation may not show what was found in it.
const MAX_EVENTS = 500
// How much of a text is shown, and how much of that before what was found.
const [MAX_EXCERPT, LEAD_IN] = [160, 60]

/** A text of a lead. `parts`: the search finds any part of a word, not only its beginning. */
type Source = { label: string; text: string; parts?: boolean; isName?: boolean }

const labels: Record<string, string> = {
  note: 'In a note: ',
  answer: 'In an answer: ',
  answered_by_mail: 'In an answer: ',
  reply: 'In a reply: ',
  automatic_reply: 'In an automatic reply: ',
}

/** Adds to each row of a page what the search has found in it. `alike`: the ids of leads found by names that are only alike. */
export async function addFound(
  db: Database,
  page: LeadPage,
  rows: readonly Row[],
  terms: readonly string[],
  alike: ReadonlySet<string>,
): Promise<LeadPage> {
  const said = await readSaid(db, rows)
  const leads: LeadPage['leads'] = []
  for (const [index, lead] of page.leads.entries()) {
    const row = rows[index]
    if (!row) continue
    leads.push({ ...lead, found: foundIn(row, said(row.id), terms, alike.has(row.id)) })
    if (index % 10 === 9) await nextTurn()
  }
  return { ...page, leads }
}

async function readSaid(db: Database, rows: readonly Row[]) {
  const events = await db
    .selectFrom('lead_events')
    .select(['lead_id', 'what', 'text'])
    .where('lead_id', 'in', ['', ...rows.map(({ id }) => id)])
    .where('what', 'in', writtenEvents)
    .orderBy('id', 'desc')
    .limit(MAX_EVENTS)
    .execute()
  const byLead = Map.groupBy(events, ({ lead_id }) => lead_id)
  return (id: string): Source[] =>
    (byLead.get(id) ?? []).map(({ what, text }) => ({ label: labels[what] ?? '', text: text ?? '' }))
}

function foundIn(row: Row, said: Source[], terms: readonly string[], isOnlyAlike: boolean): Found {
  const find = createFinder(terms, isOnlyAlike)
  const names = { label: '', text: `${row.first_name} ${row.last_name}`, parts: true, isName: true }
  const inName = find(names, terms)
  const missing = terms.filter((term) => !inName.terms.has(term))
  const sources: Source[] = [
    { label: '', text: row.message },
    { label: 'Company: ', text: row.company, parts: true, isName: true },
    { label: 'Email: ', text: row.email, parts: true },
    { label: 'Phone: ', text: row.phone, parts: true },
    { label: 'Website: ', text: row.website, parts: true },
    { label: 'Reference: ', text: row.reference, parts: true },
    ...said,
  ]
  const results = missing.length > 0 ? sources.map((source) => find(source, missing)) : []
  const best = Math.max(0, ...results.map(({ terms }) => terms.size))
  const index = best > 0 ? results.findIndex(({ terms }) => terms.size === best) : -1
  return {
    name: inName.pieces,
    label: sources[index]?.label ?? '',
    text: results[index] ? excerpt(results[index].pieces) : null,
  }
}

// Phone numbers, and words with everything that people put into them.
const token = /([(+]?\d[\d ()+./-]*\d|[\p{L}\p{N}\p{M}\p{Dash}\p{Quotation_Mark}]+)/u

/** Creates a function that cuts a text into pieces (see `marked`), and says which terms it has. */
function createFinder(terms: readonly string[], isOnlyAlike: boolean) {
  return ({ text, parts = false, isName = false }: Source, wanted: readonly string[]) => {
    const found = new Set<string>()
    const pieces = ['']
    const has = (folded: string, term: string) => folded.includes(term)
    // Most texts have none of the terms: that's faster to find out for the whole text.
    const whole = foldSpellings(text).join(' ')
    const mayHave = terms.some((term) => has(whole, term) || has(whole.replace(/['-]/g, ''), term))
    if (!mayHave && !(isName && isOnlyAlike) && !/\d/.test(text)) return { pieces: [text], terms: found }
    for (const [position, piece] of text.split(token).entries()) {
      const hits = position % 2 ? wanted.filter((term) => isHit(piece, term)) : []
      for (const term of hits) found.add(term)
      if (hits.length > 0) pieces.push(piece, '')
      else pieces.push(`${pieces.pop()}${piece}`)
    }
    return { pieces, terms: found }

    function isHit(piece: string, term: string): boolean {
      const folded = fold(piece)
      if (isNumeric(folded)) return digitsOf(folded).includes(term)
      const words = foldSpellings(piece).flatMap(joinedOrNot)
      if (words.some((word) => (parts || !isAscii(term) ? has(word, term) : word.startsWith(term))))
        return true
      return isName && isOnlyAlike && words.some((word) => isAlike(word, term))
    }
  }
}

/** A few words around the first piece that was found, on one line. */
function excerpt(pieces: readonly string[]): string[] {
  const [before = '', ...rest] = pieces.map((piece) => piece.replace(/\s+/g, ' '))
  const space = before.indexOf(' ', before.length - LEAD_IN)
  const cut = space < 0 ? '…' : `…${before.slice(space + 1)}`
  const shown = [before.length > 2 * LEAD_IN ? cut : before]
  for (let left = MAX_EXCERPT - LEAD_IN; left > 0 && rest.length > 0; left -= shown.at(-1)?.length ?? 0)
    shown.push(cutText(rest.shift() ?? '', left))
  return shown
}
