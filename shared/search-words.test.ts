import { expect, test } from 'vitest'
import { indexWords, searchTerms } from './search-words.ts'

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

/** Whether a search finds the lead. Like SQLite and PostgreSQL, it requires each term to be the beginning of a word. */
function finds(search: string, changes: Partial<typeof lead> = {}) {
  const words = indexWords({ ...lead, ...changes })
  const terms = searchTerms(search)
  return terms.length > 0 && terms.every((term) => words.some((word) => word.startsWith(term)))
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
])('searching for %j finds the lead', (search) => {
  expect(finds(search)).toBe(true)
})

test.each(['eed', 'ada byron', 'lovelacer', '7k3m-9qxe', 'xq', '🚀', '%', '', "'", '---'])(
  'searching for %j does not find the lead',
  (search) => {
    expect(finds(search)).toBe(false)
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
])('searching for %j finds the name %j', (search, last_name) => {
  expect([
    finds(search, { first_name: '', last_name, email: '', message: '' }),
    finds(search, { first_name: 'Bo', email: '' }),
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
])('the name %j is found in every spelling', (last_name, ...searches) => {
  const isFound = searches.map((search) => finds(search, { first_name: 'Bo', last_name, email: '' }))

  expect(isFound).toEqual(searches.map(() => true))
})

test('a search for a short name with two vowels does not find other names', () => {
  expect(finds('Joe', { last_name: 'Johnson' })).toBe(false)
  expect(finds('Sue', { last_name: 'Sullivan' })).toBe(false)
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
  (search, phone) => {
    expect([phone, '(312) 555-9876', '1234', ''].map((phone) => finds(search, { phone }))).toEqual([
      true,
      false,
      false,
      false,
    ])
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
])('searching for %j finds the phone number %j', (search, phone) => {
  expect([finds(search, { phone }), finds(search)]).toEqual([true, false])
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
])('searching for %j finds the message %j', (search, message) => {
  expect([finds(search, { message }), finds(search)]).toEqual([true, false])
})

test('words are cut to 64 letters, never inside a surrogate pair', () => {
  const words = indexWords({
    ...lead,
    last_name: '𠮷'.repeat(50),
    company: `a${'𝒳𐐷'.repeat(300)}`,
    message: '𐐷'.repeat(2500),
  })

  expect(words.filter((word) => !word.isWellFormed() || [...word].length > 64)).toEqual([])
})

test('a lead is indexed under fewer than 12,000 words; a search has at most 8 terms, made up of letters and digits', () => {
  const texts = ['a', 'ab ', '1 ', '東', '𠮷', "a'", 'a-', '\u0301', '1(', '\ufdfa']
  for (const text of texts) {
    const long = text.repeat(5000).slice(0, 5000)
    const all = {
      first_name: long.slice(0, 100),
      company: long.slice(0, 200),
      website: long.slice(0, 2048),
      message: long,
    }
    expect(indexWords({ ...lead, ...all }).length).toBeLessThan(12_000)
    expect(searchTerms(long).join('')).toMatch(/^[\p{L}\p{N}]*$/u)
    expect(searchTerms(long).length).toBeLessThanOrEqual(8)
  }
})
