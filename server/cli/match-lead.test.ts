import { expect, test } from 'vitest'
import { cleanText } from '#shared/invisible-characters.ts'
import { growthOfWork } from '../proof/testing/growth-of-work.ts'
import { hostileTexts } from '../proof/testing/hostile-texts.ts'
import { matcherFor } from './match-lead.ts'

type LeadRow = Parameters<ReturnType<typeof matcherFor>>[0]

const lead: LeadRow = {
  id: '',
  reference: 'Q-7K3M-9QXD',
  created_at: '',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  phone: '',
  company: 'Analytical Roofing',
  website: '',
  budget: '',
  message: 'We need a new site.',
  idempotency_key: null,
  content_hash: '',
  spam_score: 0,
  spam_reasons: '[]',
  state: 'open',
  verdict: null,
  version: 0,
  due_at: '',
  follow_up_on: null,
  answered_at: null,
  seen_at: null,
  trouble: null,
  source: '{}',
  sort_key: '',
  is_indexed: 0,
  awaits_list: 0,
}
const LENGTH = 20_000
// Searching a text that is twice as long takes twice as long if the search is linear, and four times as long if quadratic.
const MAX_GROWTH = 2.5

const finds = (search: string, changes: Partial<LeadRow>) => matcherFor(search)({ ...lead, ...changes })

test.each([
  ["O'Neil", 'O\u2019Neil'],
  ['O\u2019Neil', "O'Neil"],
  ['O\u00b4Neil', 'O\u02bcNeil'],
  ['O`Neil', 'O\u2032Neil'],
  ['"new roof"', '\u201enew roof\u201c'],
  ['Rhein-Ruhr', 'Rhein\u2010Ruhr'],
  ['Rhein-Ruhr', 'Rhein\u2011Ruhr'],
  ['Rhein\u2013Ruhr', 'Rhein\u2212Ruhr'],
  ['new roof', 'a new\nroof'],
  ['new roof', 'a new \t\r\n roof'],
  ['new\u00a0roof ', 'a new  roof'],
  ['new roof', 'a new\u202froof'],
  ['new roof', 'a new\u2028roof'],
  ['new roof', 'a new \u200e roof'],
  ['\u200ehouse\u202c', 'a new house'],
  ['houses', 'hou\u00adses'],
  ['houses', 'hou\ufeffses'],
  ['MÜLLER', 'Mu\u0308ller'],
])('searching for %j finds %j', (search, message) => {
  expect([finds(search, { message }), finds(search, {})]).toEqual([true, false])
})

test('a search does not match across fields and has no wildcards, and an empty search matches every lead', () => {
  expect(finds('roofing we', {})).toBe(false)
  expect(finds('%', {})).toBe(false)
  expect(finds('', {})).toBe(true)
})

const berlin = ['+49 30 1234567', '+49 (0)30 1234567', '0049 30 1234567', '030 1234567', '(030) 123 45-67']
const pasted = [
  '\u202a+49\u00a030\u00a01234567\u202c',
  '\uff0b49\u201130\u20111234567',
  '+49 ( 0 ) 30/1234567',
]

test.each(berlin.flatMap((phone) => [...berlin, ...pasted].map((search) => [search, phone] as const)))(
  'searching for %j finds the phone number %j and no other',
  (search, phone) => {
    const phones = [phone, '+49 (0)30 1234568', '+49 40 1234567', '1234', '']

    expect(phones.map((phone) => finds(search, { phone }))).toEqual([true, false, false, false, false])
  },
)

test.each([
  ['030/123', '030 1234567'],
  ['030/123', '+49 30 1234567'],
  ['0177', '555-01 77'],
  ['13125550177', '(312) 555-0177'],
  ['312 555', '+1 (312) 555-0177'],
])('searching for %s finds the phone number %s', (search, phone) => {
  expect([phone, '555-1177', ''].map((phone) => finds(search, { phone }))).toEqual([true, false, false])
})

test('searching a text that is twice as long takes at most 2.5 times the work', {
  timeout: 60_000,
}, async () => {
  const matches = matcherFor('no such text')
  const search = (text: string) => matches({ ...lead, message: text, phone: text })

  for (const [name, text] of hostileTexts.ofOne) {
    if (cleanText(text(LENGTH)) !== text(LENGTH)) continue
    expect(await growthOfWork(search, text, LENGTH, MAX_GROWTH), String(name)).toBeLessThanOrEqual(MAX_GROWTH)
  }
})
