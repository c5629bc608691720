import { expect, test } from 'vitest'
import { browserInWords } from './sessions.ts'

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const iPhone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X)'
const blink = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0'

test.each([
  [`Mozilla/5.0 (Linux; Android 10; K) ${blink} Mobile Safari/537.36`, 'Chrome on Android'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36`, 'Chrome on Windows'],
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${blink} Safari/537.36 Edg/141.0.0.0`, 'Edge on Windows'],
  [`${iPhone} ${webkit} Version/26.0 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${iPhone} ${webkit} CriOS/141.0.0.0 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${webkit} Version/26.0 Safari/605.1.15`, 'Safari on Mac'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox on Linux'],
  ['curl/8.5.0', 'An unknown browser'],
  ['<b>Your bank</b>, call +1 900 555 0199', 'An unknown browser'],
  ['', 'An unknown browser'],
  [undefined, 'An unknown browser'],
])('the user agent %j is described as "%s"', (userAgent, words) => {
  expect(browserInWords(userAgent)).toBe(words)
})
