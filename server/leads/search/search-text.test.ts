import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { fold } from '#shared/text/fold.ts'
import { createSqliteDialect } from '../../database/sqlite-dialect.ts'
import { hasTerms, searchTerms } from './search-terms.ts'
import { searchTextOf } from './search-text.ts'

const lead = {
  reference: 'Q-7K3M-9QXD',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada.l@analytical.example',
  phone: '',
  company: 'Analytical Roofing LLC',
  website: 'https://www.analytical.example/roofs',
  message: 'We need a new site.',
}

const db = new Kysely({ dialect: createSqliteDialect(new Sqlite(':memory:')) })
afterAll(() => db.destroy())

/** Whether a search finds the lead. */
async function finds(search: string, changes: Partial<typeof lead> = {}): Promise<boolean> {
  const { parts, words } = searchTextOf({ ...lead, ...changes })
  const terms = searchTerms(search)
  if (terms.length === 0) return false
  const text = sql`(select ${parts} as parts, ${words} as words)`
  const { rows } = await sql`select 1 from ${text} as lead_texts where ${hasTerms(terms)}`.execute(db)
  return rows.length > 0
}

test.each([
  ...['ada', 'velace', 'ada lovelace', 'ada.l@analytical.example', '@analytical', 'roofing llc', 'roofs'],
  ...['need new', 'sit', 'Q-7K3M-9QXD', 'q7k3m9qxd', '7k3m'],
])('searching for %j finds the lead', async (search) => {
  expect(await finds(search)).toBe(true)
})

test.each(['eed', 'ada byron', 'lovelacer', '7k3m-9qxe', 'xq', '🚀', '%', '', "'", '---'])(
  'searching for %j does not find the lead',
  async (search) => {
    expect(await finds(search)).toBe(false)
  },
)

test.each([
  ["o'neil", 'O\u2019Neil'],
  ['oneil', "O'Neil"],
  ["o'ne", 'O\u02bcNeil'],
  ['anna-lena', 'Anna\u2011Lena'],
  ['annalena', 'Anna-Lena'],
  ['muller', 'MÜLLER'],
  ['strasse', 'Straße'],
  ['jorgensen', 'Jørgensen'],
  ['istanbul', 'İSTANBUL'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
  ['山田', '山田太郎'],
  ['太', '山田太郎'],
  ['野家', '𠮷野家'],
  ['カナダ', 'ｶﾅﾀﾞ'],
  ['أحمد', 'احمد'],
  ['محمد', 'محـــمد'],
  ['สมชาย', 'คุณสมชาย'],
  ['🚀 ada', 'Ada'],
])('searching for %j finds the name %j', async (search, last_name) => {
  expect([
    await finds(search, { first_name: '', last_name, email: '', message: '' }),
    await finds(search, { first_name: 'Bo', email: '' }),
  ]).toEqual([true, false])
})

test.each([
  ['Müller', 'Muller', 'Mueller', 'MÜLLER', 'uelle', 'mue'],
  ['Bjørn', 'Bjoern', 'Bjorn'],
  ['Ångström', 'Angstrom', 'Aangstroem', 'Angstroem', 'A\u030angstro\u0308m'],
  ['Aarhus', 'Århus', 'Arhus'],
  ['Großmann', 'Grossmann', 'GROSSMANN', 'Großmann'],
])('the name %j is found in every spelling', async (last_name, ...searches) => {
  const isFound = await Promise.all(
    searches.map((search) => finds(search, { first_name: 'Bo', last_name, email: '' })),
  )

  expect(isFound).toEqual(searches.map(() => true))
})

test.each([
  ['+1 312 555 0123', '(312) 555-0123'],
  ['(312) 555-0123', '0013125550123'],
  ['001 312 555 0123', '\uff0b1\u2011312\u2011555\u20110123'],
  ['555 0123', '(312) 555-0123 ext. 45'],
  ['+45 12 34 56 78', '12345678'],
  ['030 1234567', '+49 (0)30 1234567'],
  ['089 1234', '+49 89 1234'],
  ['٣١٢٥٥٥٠١٢٣', '312 555 0123'],
  ['312 555 0123', '٣١٢ ٥٥٥ ٠١٢٣'],
  ['312 555 0123', '۳۱۲ ۵۵۵ ۰۱۲۳'],
  ['ada +1 (312) 555-0123', '312 555 0123'],
  ['Ada Lovelace, 0172 123 45 67', '+49 172 1234567'],
  ['(312) 555-0123 ext. 45', '(312) 555-0123 ext. 45'],
  ['0123', '312 555 0123'],
])('searching for %j finds the phone number %j', async (search, phone) => {
  expect([await finds(search, { phone }), await finds(search)]).toEqual([true, false])
})

test.each([
  ["l'agence", "C'est l\u2019agence"],
  ['e-mail', 'my e-mail'],
  ['e-mail', 'my email'],
  ['mueller', 'Ask M\u00fcller'],
  ['12.03.2026', 'on 12.03.2026'],
  ['10 000', 'about 10 000 euros'],
  ['4711', 'order 47 11'],
  ['berlin 2024 30', 'In Berlin since 2024, 30 people'],
  ['312 555 0123', 'Call +1 (312) 555-0123'],
  ['312 555 0123', 'Call ٣١٢ ٥٥٥ ٠١٢٣'],
  ['東京', '私は東京都新宿区に住んでいます'],
  ['x'.repeat(100), 'x'.repeat(300)],
  ['a.meier@roof-works.example', 'Ask a.meier@roof-works.example'],
  ['https://roof-works.example/a', 'See https://roof-works.example/a'],
  ['J.-P. Meier', 'I am J.-P. Meier'],
  ['offer-v2(1).pdf', 'It is in offer-v2(1).pdf'],
])('searching for %j finds the message %j', async (search, message) => {
  expect([await finds(search, { message }), await finds(search)]).toEqual([true, false])
})

test('an address is found as it is typed', async () => {
  expect(await finds('Ada@B\u00fccher.example', { email: 'ada@xn--bcher-kva.example' })).toBe(true)
})

test('a letter that stands for many words does not make a text many times as long', () => {
  const folded = fold('\ufdfa'.repeat(20_000))

  expect([folded.slice(0, 4), folded.length < 100_000]).toEqual(['صلى ', true])
})
