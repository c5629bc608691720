import Sqlite from 'better-sqlite3'
import { Kysely, sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { createSqliteDialect } from '../database/sqlite-dialect.ts'
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
  'ada',
  'LOVELACE',
  'lace',
  'velace',
  'ada lovelace',
  'lovelace, ada',
  'ada.l@analytical.example',
  '@analytical',
  'roofing',
  'fing',
  'roofing llc',
  'www.analytical.example',
  'roofs',
  'need',
  'need new',
  'sit',
  'Q-7K3M-9QXD',
  'q7k3m9qxd',
  'q 7k3m 9qxd',
  '7k3m-9qxd',
  '7k3m',
  '9QXD',
  '3m-9q',
  'q-7k3m',
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
  ['O\u00b4Neil', "O'Neil"],
  ['oneil', "O'Neil"],
  ['neil', "O'Neil"],
  ["o'ne", 'O\u02bcNeil'],
  ['anna-lena', 'Anna\u2011Lena'],
  ['anna lena', 'Anna-Lena'],
  ['annalena', 'Anna-Lena'],
  ['lena', 'Anna-Lena'],
  ['anna-lena', 'Annalena'],
  ['karl-otto', 'Karl Otto'],
  ['muller', 'MÜLLER'],
  ['müller', 'Mu\u0308ller'],
  ['MULLER', 'Müller'],
  ['strasse', 'Straße'],
  ['STRAßE', 'Strasse'],
  ['jorgensen', 'Jørgensen'],
  ['lukasz', 'Łukasz'],
  ['istanbul', 'İSTANBUL'],
  ['izmir', 'IZMIR'],
  ['ΟΔΥΣΣΕΥΣ', 'Οδυσσεύς'],
  ['οδυσσευσ', 'ΟΔΥΣΣΕΎΣ'],
  ['山田', '山田太郎'],
  ['太郎', '山田太郎'],
  ['山田太郎', '山田太郎'],
  ['太', '山田太郎'],
  ['𠮷野', '𠮷野家'],
  ['野家', '𠮷野家'],
  ['ｶﾅﾀﾞ', 'カナダ'],
  ['カナダ', 'ｶﾅﾀﾞ'],
  ['ＡＤＡ', 'Ada'],
  ['김민', '김민준'],
  ['أحمد', 'احمد'],
  ['احمد', 'أَحْمَد'],
  ['محمد', 'محـــمد'],
  ['می‌خواهم', 'میخواهم'],
  ['สมชาย', 'คุณสมชาย'],
  ['ada', 'Ada 🚀'],
  ['🚀 ada', 'Ada'],
  ['नमस्ते', 'नमस्ते'],
])('searching for %j finds the name %j', async (search, last_name) => {
  expect([
    await finds(search, { first_name: '', last_name, email: '', message: '' }),
    await finds(search, { first_name: 'Bo', email: '' }),
  ]).toEqual([true, false])
})

test.each([
  ['Müller', 'Muller', 'Mueller', 'MÜLLER', 'uelle', 'mue'],
  ['Mueller', 'Müller', 'Muller', 'eller', 'mu'],
  ['Bjørn', 'Bjoern', 'Bjorn'],
  ['Ærø', 'Aeroe', 'Aero', 'ærø'],
  ['Ångström', 'Angstrom', 'Aangstroem', 'Angstroem', 'A\u030angstro\u0308m'],
  ['Aarhus', 'Århus', 'Arhus'],
  ['Jäger', 'Jaeger', 'Jager'],
  ['Großmann', 'Grossmann', 'GROSSMANN', 'Großmann'],
  ['Đoković', 'Djokovic', 'Dokovic'],
  ['Œuvre', 'Oeuvre', 'oeuv'],
])('the name %j is found in every spelling', async (last_name, ...searches) => {
  const isFound = await Promise.all(
    searches.map((search) => finds(search, { first_name: 'Bo', last_name, email: '' })),
  )

  expect(isFound).toEqual(searches.map(() => true))
})

test('a search for a short name with two vowels does not find other names', async () => {
  expect(await finds('Joe', { last_name: 'Johnson' })).toBe(false)
  expect(await finds('Sue', { last_name: 'Sullivan' })).toBe(false)
})

const dialed = [
  '+1 312 555 0123',
  '1-312-555-0123',
  '(312) 555-0123',
  '312.555.0123',
  '3125550123',
  '001 312 555 0123',
  '555 0123',
  '+1 312 555 01',
]
const stored = [
  '+1 312 555 0123',
  '(312) 555-0123',
  '312/5550123',
  '0013125550123',
  '\uff0b1\u2011312\u2011555\u20110123',
  '(312) 555-0123 ext. 45',
]

test.each(stored.flatMap((phone) => dialed.map((search) => [search, phone] as const)))(
  'searching for %j finds the phone number %j and no other',
  async (search, phone) => {
    const phones = [phone, '(312) 555-9876', '1234', '']
    const isFound = await Promise.all(phones.map((phone) => finds(search, { phone })))

    expect(isFound).toEqual([true, false, false, false])
  },
)

test.each([
  ['+45 12 34 56 78', '12345678'],
  ['12 34 56 78', '+45 12345678'],
  ['030 1234567', '+49 (0)30 1234567'],
  ['0312 555', '+44 312 555 0123'],
  ['٣١٢٥٥٥٠١٢٣', '312 555 0123'],
  ['312 555 0123', '۳۱۲۵۵۵۰۱۲۳'],
  ['ada +1 (312) 555-0123', '312 555 0123'],
  ['(312) 555-0123 ext. 45', '(312) 555-0123 ext. 45'],
  ['ext 45', '(312) 555-0123 ext. 45'],
  ['0123', '312 555 0123'],
])('searching for %j finds the phone number %j', async (search, phone) => {
  expect([await finds(search, { phone }), await finds(search)]).toEqual([true, false])
})

test.each([
  ["l'agence", "C'est l\u2019agence"],
  ['agence', "C'est l\u2019agence"],
  ['e-mail', 'my e-mail'],
  ['email', 'my e-mail'],
  ['e-mail', 'my email'],
  ['12.03.2026', 'on 12.03.2026'],
  ['2026-03-12', 'on 2026-03-12'],
  ['10 000', 'about 10 000 euros'],
  ['10,000', 'about $10,000'],
  ['berlin 2024 30', 'In Berlin since 2024, 30 people'],
  ['312 555 0123', 'Call +1 (312) 555-0123'],
  ['東京', '私は東京都新宿区に住んでいます'],
  ['東京都新宿区', '私は東京都新宿区に住んでいます'],
  ['x'.repeat(100), 'x'.repeat(300)],
  ['ﬁne', 'fine'],
])('searching for %j finds the message %j', async (search, message) => {
  expect([await finds(search, { message }), await finds(search)]).toEqual([true, false])
})

test.each(['a', 'ab ', '1 ', '東', '𠮷', "a'", 'a-', '\u0301', '1(', '\ufdfa'])(
  'the longest lead, full of %j, has a short search text, and the longest search has at most 8 terms of letters and digits',
  (text) => {
    const long = text.repeat(5000).slice(0, 5000).toWellFormed()
    const { parts, words } = searchTextOf({
      ...lead,
      first_name: long.slice(0, 100),
      company: long.slice(0, 200),
      website: long.slice(0, 2048),
      message: long,
    })
    const terms = searchTerms(long)

    expect(parts.length + words.length).toBeLessThan(20_000)
    expect(terms.join('')).toMatch(/^[\p{L}\p{N}]*$/u)
    expect(terms.length).toBeLessThanOrEqual(8)
  },
)
