import { expect, test } from 'vitest'
import { filesInWords } from '../files-in-words.ts'
import { cleanSource, type LeadSource } from '../lead-source.ts'
import { MAX_COUNTED } from './api.ts'
import { addressDoubt, countInWords, sourceInWords, timeInWords, workTimeInWords } from './words.ts'

test.each<[LeadSource, string | null]>([
  [{}, null],
  [{ parameters: {} }, null],
  [{ landing: '/' }, 'Typed in or bookmarked'],
  [{ landing: '/', referrer: 'search.example' }, 'search.example'],
  [{ referrer: 'mail.example', parameters: { utm_source: 'newsletter' } }, 'newsletter'],
  [{ referrer: 'search.example', parameters: { gclid: '1' } }, 'Google ad'],
  [{ parameters: { utm_source: 'google', gclid: '1' } }, 'Google ad'],
  [{ parameters: { msclkid: '1' } }, 'Bing ad'],
  [{ parameters: { gbraid: '1' } }, 'Google ad'],
  [{ parameters: { wbraid: '1' } }, 'Google ad'],
  [{ parameters: { li_fat_id: '1' } }, 'LinkedIn ad'],
  [{ parameters: { twclid: '1' } }, 'X ad'],
  [{ parameters: { ttclid: '1', fbclid: '1' } }, 'TikTok ad'],
  [{ parameters: { utm_medium: 'email' } }, null],
  // Facebook adds `fbclid` to every link, not only to ads.
  [{ referrer: 'l.facebook.com', parameters: { fbclid: '1' } }, 'Facebook'],
  [{ parameters: { utm_source: 'instagram', fbclid: '1' } }, 'instagram'],
  [{ parameters: { gclid: '1', utm_campaign: 'spring' } }, 'Google ad, campaign “spring”'],
  [{ landing: '/', parameters: { utm_campaign: 'spring' } }, 'Campaign “spring”'],
])('the source %j is described as %j', (source, words) => {
  expect(sourceInWords(cleanSource(source))).toBe(words)
})

test('counts beyond 999, where the server stops counting, are shown as "999+"', () => {
  expect([999, MAX_COUNTED].map(countInWords)).toEqual(['999', '999+'])
})

test.each([
  [99, '99 min', '99 min'],
  [150, '2.5 h', '2.5 h'],
  [35 * 60, '35 h', '35 h'],
  [37 * 60, '2 days', '37 h'],
  [3000, '2 days', '50 h'],
])('%i minutes are "%s", and as working time "%s"', (minutes, time, workTime) => {
  expect([timeInWords(minutes), workTimeInWords(minutes)]).toEqual([time, workTime])
})

test('an owner is told to call only a telephone number', () => {
  expect(addressDoubt('312 555 0199')).toMatch('call instead')
  expect(addressDoubt('after 5pm')).toMatch('no phone number')
})

test.each([
  [[], ''],
  [['plan.pdf'], '1 file: plan.pdf'],
  [['plan.pdf', 'storefront.jpg'], '2 files: plan.pdf, storefront.jpg'],
])('a row names the files %j: "%s"', (files, words) => {
  expect(filesInWords(files)).toBe(words)
})
