import { expect, test } from 'vitest'
import { readText } from './read-text.ts'

const read = (text: string, html: string) =>
  readText({ headers: [], headerLines: [], attachments: [], text, html })

/** What an email program shows of HTML, as text. */
test.each([
  ['above and below the body', '<div>Yes</div><html><body>No</body></html><div>Ada</div>', 'Yes\nNo\nAda'],
  [
    'rows',
    '<table>\n<tr>\n<td>Mon</td><td>9-17</td>\n</tr><tr><td>Tue</td><td>closed',
    'Mon | 9-17\nTue | closed',
  ],
  [
    'rows within rows',
    '<table><tr><td><table><tr><td>Mon</td><td>9-17</td></tr><tr><td>Tue</td><td>closed</td></tr></table></td></tr></table>',
    'Mon | 9-17\nTue | closed',
  ],
  [
    'terms',
    '<dl><dt>Start<dd>Monday</dd><dd>At ten</dd></dl><center>Ada</center>',
    'Start\nMonday\nAt ten\nAda',
  ],
  ['two documents', '<body>Yes</body><body>Ada</body>', 'Yes\nAda'],
  ['links', '<a href="https://a.example/x">our site</a>', 'our site <https://a.example/x>'],
  ['an address as a link', '<a href="https://a.example">https://a.example</a>', 'https://a.example'],
  ['an address with more', '<a href="http://www.a.example/">www.a.example</a>', 'www.a.example'],
  ['an email address', '<a href="mailto:ada@a.example">ada@a.example</a>', 'ada@a.example'],
  [
    'another address',
    '<a href="https://b.example">https://a.example</a>',
    'https://a.example <https://b.example>',
  ],
  ['a picture as a link', '<a href="https://a.example"><img src="x.png"></a>', 'https://a.example'],
  [
    'links in text with line breaks',
    '<div style="white-space: pre-wrap">Our <a href="https://a.example/x"><b>new</b> site</a>\n<a href="https://b.example/">https://b.example</a></div>',
    'Our new site <https://a.example/x>\nhttps://b.example',
  ],
  ['a date as a link', '<a href="x-apple-data-detectors://0">Monday</a>', 'Monday'],
  ['letter case', '<h1>No shop, please</h1>', 'No shop, please'],
  ['emoji as pictures', 'Yes <img alt="👍" src="x.png"><img alt="Logo" src="y.png">', 'Yes 👍'],
  ['line breaks', '<div style="white-space: pre-wrap">Yes\nNo</div>', 'Yes\nNo'],
  ['what is not shown', '<title>A</title><style>b{}</style><script>c</script><!-- d -->Yes', 'Yes'],
])('HTML stays readable: %s', (_name, html, expected) => {
  expect(read('', html)).toBe(expected)
})

const long = 'The shop opens in May, and we need two pages and a form for orders until then.'

test.each([
  ['the plain text says the same', 'Yes.\nAda', '<p>Yes.</p>Ada', 'Yes.\nAda'],
  [
    'both have the addresses of links',
    'Our *site* <https://a.example/b>, a.example',
    'Our <a href="https://a.example/b/">site</a>, <a href="https://a.example/">a.example</a>',
    'Our *site* <https://a.example/b>, a.example',
  ],
  [
    'only HTML has the address of a link',
    'Our logo is here.',
    'Our logo is <a href="https://a.example/b">here</a>.',
    'Our logo is here <https://a.example/b>.',
  ],
  [
    'the plain text is only a signature',
    'Sent from my phone',
    '<p>Yes.</p>Sent from my phone',
    'Yes.\n\nSent from my phone',
  ],
  ['the plain text has names of pictures', 'Yes\n[image: our new logo]', 'Yes', 'Yes\n[image: our new logo]'],
  ['both have words in brackets', 'Yes [in May],\nAda', 'Yes [in May], Ada', 'Yes [in May],\nAda'],
  ['the plain text is empty', '\n', '<p>Yes', 'Yes'],
  ['the HTML is empty', 'Yes', '<p> </p>', 'Yes'],
  [
    'the plain text names what it quotes more fully',
    'Yes\n\nFrom: Anna\nSent: Monday, March 2, 2026 10:01 in the morning\nA page?',
    '<p>Yes<hr>From: Anna<br>A page?',
    'Yes\n\nFrom: Anna\nSent: Monday, March 2, 2026 10:01 in the morning\nA page?',
  ],
  ['the HTML has more in brackets', 'Yes', '<p>Yes [not today]', 'Yes [not today]'],
  ['the plain text is the beginning', 'Yes', '<p>Yes, on Monday', 'Yes, on Monday'],
  [
    'the plain text is a long beginning',
    long,
    `<p>${long} Can you do that by May?`,
    `${long} Can you do that by May?`,
  ],
])('of two forms, the text is shown that has all words: %s', (_name, plain, html, expected) => {
  expect(read(plain, html).trim()).toBe(expected)
})

test.each([
  ['a stub', 'This message needs a program that shows HTML.', long],
  [
    'a stub that is longer than the reply',
    'Your email program does not show this message as it is.',
    'On Monday.',
  ],
  ['one with some of the words', 'Yes, on Monday we need two pages.', long],
  ['few words', 'Yes', 'No, on Monday'],
  ['Chinese', '好的，星期一十点。', '不行，我们下周再说吧。'],
])('if neither form has the words of the other, both are shown: %s', (_name, plain, html) => {
  expect(read(plain, `<p>${html}</p>`)).toBe(`${plain}\n\n${html}`)
})
