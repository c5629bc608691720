import { expect, test } from 'vitest'
import type { ContactRequest } from '#shared/contact-request.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { readSamples } from './samples.ts'
import { type Clues, isSuspect, scoreSpam } from './spam-score.ts'
import { tokensOf } from './tokens.ts'
import { judgeWords, noWords } from './word-filter.ts'

const honest = { isHoneypotFilled: false, formAgeMs: 60_000, repeats: 0 }
const samples = readSamples()
const judge = (message: string, clues: Partial<Clues> = {}, fields: Partial<ContactRequest> = {}) =>
  scoreSpam(sampleRequest({ message, ...fields }), {
    ...honest,
    words: judgeWords(samples, noWords(), tokensOf(message)),
    ...clues,
  })
const plain = 'We need a new site.'
const learnedWords = { words: { evidence: 0, learnedEvidence: 99, words: ['carpets'] } }

test.each<[boolean, string, Partial<Clues>, string]>([
  [false, 'a fast form', { formAgeMs: 200 }, plain],
  [false, 'a filled honeypot', { isHoneypotFilled: true }, plain],
  [false, 'a filled honeypot and a link', { isHoneypotFilled: true }, 'We like the site lark.com.'],
  [false, 'a filled honeypot without a time token', { isHoneypotFilled: true, formAgeMs: undefined }, plain],
  [true, 'the same message from three other senders', { repeats: 3 }, plain],
  [true, 'links as code', {}, 'What does <a href="https://old.example/x">this</a> do?'],
  [true, 'a lookalike letter', {}, 'I need а wеbsite'],
])('suspect: %s, for words that owners have marked as spam and %s', (expected, _name, clues, message) => {
  expect(isSuspect(judge(message, { ...learnedWords, ...clues }).score)).toBe(expected)
})

const offer =
  'We can get your website to the first page. Our SEO packages start at $99. Would you like a free audit? Reply for our prices.'

test('the words of an offer alone make a request suspect, and the reason lists three of them', () => {
  const { score, reasons } = judge(offer)

  expect(isSuspect(score)).toBe(true)
  expect(reasons).toEqual([expect.stringMatching(/^Words often used in offers: [a-z ]+(, [a-z ]+){2}$/)])
})

test.each<[string, Partial<Clues>, string]>([
  ['Ukrainian with a Latin i', {}, 'Iнтернет-магазин iграшок, м. Iрпiнь, кiлькiсть товарiв: 300, для дiтей'],
  ['soft hyphens', {}, 'We re\u00adquire a web\u00adsite for our bak\u00adery in Colum\u00adbus.'],
  ['ligatures kept apart', {}, 'Auf\u200clage und Schiff\u200cfahrt: wir brauchen eine Web\u200cseite'],
  ['zero-width spaces', {}, 'We re\u200bquire a web\u200bsite, a\u2060new one'],
])('an honest message with %s is not a suspect', (_name, clues, message) => {
  expect(isSuspect(judge(message, clues).score)).toBe(false)
})

test.each<[number, Partial<ContactRequest>, Partial<Clues>?]>([
  [5, { lastName: 'https://cheap-clicks.example/x' }],
  [5, { firstName: 'Visit', lastName: 'cheap-clicks.com' }],
  [5, { firstName: 'www.cheap-clicks.example' }],
  [12, { lastName: '<A HREF="https://old.example">Gift</a>' }],
  [7, { company: '[url=old.example]Gift[/url]' }],
  [9, { lastName: 'Smіth' }],
  [12, { company: 'Bеst Rаnk' }],
  [4, { company: 'Be\u200bst' }],
  // The sender's own websites, and email addresses.
  [
    0,
    { website: 'https://Ada.example/about', message: 'Our site, https://www.ada.example/shop?x, is slow.' },
  ],
  [0, { email: 'ada@new.ada.com', message: 'We moved to new.ada.com.' }],
  [0, { message: 'Write to bob@shop.com' }],
  [1, { message: 'We like shop.com, www.SHOP.com/x and shop.com.' }],
  [1, { message: 'We like a.com as well as b.com' }],
  [3, { message: 'We like the colors and the menu of a.com, b.com and https://c.example' }],
  [7, { message: 'a.com b.com c.com' }],
  [7, { message: 'Look: a.com, b.com, c.com, nice' }],
  [6, { message: ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `the colors of ${name}.com`).join() }],
  [7, { message: 'asdkfj qwoeiru zxmcnv' }],
  [7, { message: 'asdfasdf', firstName: 'Test' }],
  [7, { message: 'qApoKuRaTEliNo' }],
  [7, { message: 'фывафыва олдж' }],
  [12, { message: 'kBJLcFhRrGQxnHeV', firstName: 'pZMKTWjiVXRCYtJb', lastName: '' }],
  // Honest words that are hard to say, and codes.
  [0, { message: 'Wirtschaftsagentur Deutschland', firstName: 'Krzysztof', lastName: 'Szczęśniak' }],
  [0, { message: 'Агентство недвижимости' }],
  [0, { message: 'SKU AX-4471-BQ, WhatsApp, WooCommerce' }],
  [0, { message: 'strengths of QWERTY keyboards' }],
  [0, { message: 'hi' }],
  [4, {}, { repeats: 2 }],
  [8, {}, { repeats: 3 }],
  [8, {}, { repeats: 4 }],
  [10, {}, { repeats: 5 }],
  [3, {}, { formAgeMs: 1_999 }],
  [0, {}, { formAgeMs: 2_000 }],
  // Some words of an offer, and words that owners have marked as spam, only raise a doubt.
  [5, {}, { words: { evidence: 8.9, learnedEvidence: 8.9, words: ['ranking'] } }],
  [4, {}, learnedWords],
  [10, {}, { formAgeMs: 1_999, isHoneypotFilled: true }],
  [7, {}, { formAgeMs: undefined, isHoneypotFilled: true }],
  [4, {}, { isHoneypotFilled: true }],
])('%i points for the fields %j with the clues %j', (points, fields, clues) => {
  expect(judge(fields.message ?? plain, clues, fields).score).toBe(points)
})
