import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotedParts } from './quoted-parts.ts'
import type { Conversation } from './repeated-lines.ts'

const answer = `Hello Ada,

Thank you for your request. We could call you on Monday at ten, or on Tuesday.

1. One page with photos: $2,400
2. Hosting and changes: $60 a month

Do you want Package A or Package B?
お写真はありますか。

Start: yes / no
Name of the shop:

Who is this for?
me
somebody else

Which day suits you?

Anna
Agency`
const conversation = {
  others: ['Ada Lovelace ada@example.com'],
  texts: ['Re: Your request', 'We need a new site for our bakery.'],
  sent: [answer],
  names: ['Anna at Agency', 'anna@agency.example'],
}
const marked = (text: string) => text.replace(/^/gm, '> ')
const shown = (text: string, known: Conversation = conversation) =>
  quotedParts(text, known).map((part) => (part.isQuoted ? `[${part.text}]` : part.text))

test.each([
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <anna@agency.example> wrote:'],
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency, Chicago\n<anna@agency.example> wrote:'],
  ['Le lun. 2 mars 2026 à 10:01, Anna <anna@agency.example> a écrit\u00a0:'],
  ['בתאריך יום ב׳, 2 במרץ 2026 ב-10:01 מאת Anna <\u202aanna@agency.example\u202c>:\u200f'],
  ['Anna at Agency <anna@agency.example> 於 2026年3月2日 週一 上午10:01寫道：'],
  ['---- On Mon, 02 Mar 2026 10:01:02 -0600 Anna <anna@agency.example> wrote ---'],
  ['On 3/2/26 10:01, Anna at Agency wrote:'],
  ['Anna <anna@agency.example> escribió:'],
  [
    'Od: Anna <anna@agency.example>\nWysłane: poniedziałek, 2 marca 2026 10:01\nDo: Ada Lovelace\nTemat: Re: Your request',
  ],
  ['Od: Anna <anna@agency.example>\nWysłane: 2 marca 2026 10:01\nDo: Ada\nTemat: Re: Your request'],
  ['Gesendet: Montag, 2. März 2026 um 10:01 Uhr\nVon: Anna <anna@agency.example>\nAn: ada@example.com'],
  ['________________________________\n*From:* Anna at Agency\n*Sent:* Monday, March 2, 2026 10:01'],
  ['-----Alkuperäinen viesti-----\nLähettäjä: Anna [mailto:anna@agency.example]'],
])('a quotation is folded with what introduces it: %s', (introduction) => {
  for (const quoted of [answer, marked(answer)])
    for (const between of ['\n', '\n\n', '\n\n\n'])
      expect(shown(`Yes, please!\nAda${between}${introduction}${between}${quoted}`)).toEqual([
        'Yes, please!\nAda',
        `[${introduction}${between}${quoted}]`.replace(/^\[\s+/, '['),
      ])
})

test.each([
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency, Chicago\n<anna@agency.example> wrote:'],
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency in Chicago <anna@agency.example>\nwrote:'],
  [
    'From: Anna <anna@agency.example>\nSent: Monday, March 2, 2026 10:01\nTo: ada@example.com\nSubject: Re: Your request',
  ],
  ['-----Original Message-----\nFrom: Anna <anna@agency.example>\nSent: 3/2/2026 10:01\nTo: ada@example.com'],
])(
  'what introduces a quotation is folded again, with another time, in the next message: %s',
  (introduction) => {
    for (const quoted of [answer, marked(answer)]) {
      const texts = [...conversation.texts, `Yes, please!\n\n${introduction}\n\n${quoted}`]
      const next = `${introduction.replace('10:01', '17:45')}\n\n${quoted}`
      expect(shown(`When do we start?\n\n${next}`, { ...conversation, texts })).toEqual([
        'When do we start?',
        `[${next}]`,
      ])
    }
  },
)

/** `§` is before the visitor's lines. */
test.each([
  ['between marked lines', '> Which day suits you?\n§Tuesday\n> Anna'],
  ['a word filled in', '§> Which day suits you? Tuesday'],
  ['our words, as an answer', `§Monday at ten\n\n${marked(answer)}`],
  ['our words, below a quotation', `On 3/2/26 10:01, Anna at Agency wrote:\n${answer}\n\n§Monday at ten`],
  ['our words, below marked lines', `${marked(answer)}\n\n§1. One page with photos: $2,400`],
  [
    'our words, between marked lines',
    '> Which day suits you?\n§2. Hosting and changes: $60 a month\n\n§1. One page with photos: $2,400\n> Anna',
  ],
  ['the end of our line', `> Do you want Package A or Package B?\n§Package B\n> Start: yes / no`],
  ['the end of our line, without marks', answer.replace('B?\n', 'B?\n§Package B\n')],
  ['the beginning of our line', answer.replace('B?\n', 'B?\n§お写真はあり\n')],
  ['our name, as an answer', '> Which day suits you?\n§Anna\n> Bye'],
  [
    'a changed number',
    '> 1. One page with photos: $2,400\n§> 2. Hosting and changes: $50 a month\n> Do you want',
  ],
  ['a changed point', '§> 1. One page with photos: $2.400'],
  ['another currency', '§> 2. Hosting and changes: €60 a month'],
  ['less than nothing', '§> 2. Hosting and changes: -$60 a month'],
  ['a question mark', '§> 1. One page with photos: $2,400?\n> 2. Hosting and changes: $60 a month'],
  ['a smile', '§> We could call you on Monday at ten, or on Tuesday. :-)'],
  ['a sign', '§> We could call you on Monday at ten, or on Tuesday. €'],
  ['an answered choice', '> 2. Hosting and changes: $60 a month\n§> Start: yes\n§> Name of the shop: Oak'],
  ['a choice in capitals', '> 2. Hosting and changes: $60 a month\n§> Start: YES / no\n> Name of the shop:'],
  [
    'a choice in parentheses',
    '> 2. Hosting and changes: $60 a month\n§> Start: (yes) / no\n> Name of the shop:',
  ],
  ['an arrow', '> 2. Hosting and changes: $60 a month\n§> Start: → yes / no\n> Name of the shop:'],
  ['a choice of ours', '> Who is this for?\n§me\n> me\n> somebody else'],
  ['a mark', `${marked(answer)}\n§👍`],
  ['only marks', `${marked(answer)}\n§???`],
  ['a sentence of ours', '§We could call you on Monday at ten, or on Tuesday.\n\n§Fine.'],
  ['a greeting above our words', '§Dear Anna:\n\n§Hello Ada,\n\n§Ada L.'],
  ['a greeting with a date', `§Dear Anna, as of 3/2/2026 10:01:\n${answer}`],
  ['a sentence that ends with a colon', `§In 2026, send it to anna@agency.example:\n${answer}`],
  [
    'a sentence with our name and a time',
    `§At 10:30 I have met Anna at Agency, and here is what we want:\n${answer}`,
  ],
  ['our name, without a time', `§Anna at Agency, for Monday:\n${answer}`],
  [
    'a sentence with our address',
    `§Please send all of it to my bank, and to Anna <anna@agency.example>:\n${answer}`,
  ],
  ['a signature', `§Ada Lovelace, 3/2/2026 10:01:\n${answer}`],
  ['our name above a line of ours', '§At 10:30 Anna at Agency said:\n> 2. Hosting and changes: $60 a month'],
  [
    'a row above a line of ours',
    '§To: Anna <anna@agency.example>\n§At: 10:01\n> 2. Hosting and changes: $60 a month',
  ],
  ['one row', `§Contact: Anna <anna@agency.example>\n${answer}`],
  ['rows', `§Contact: Ada Lovelace\n§Email: ada@example.com\n§Deposit paid: no, 2026\n${answer}`],
  ['rows with our name', `§With: Anna at Agency\n§When: 3/5/2026 10:00\n${answer}`],
  [
    'a row above those of a program',
    `§VAT: 2026\nFrom: Anna <anna@agency.example>\nSent: 3/2/2026 10:01\n\n${answer}`,
  ],
  [
    'a row below those of a program',
    `From: Anna <anna@agency.example>\nSent: 3/2/2026 10:01\n§Answer: yes\n\n${answer}`,
  ],
  [
    'a line above an incomplete introduction',
    `§Not before 10:30\nAnna <anna@agency.example> wrote:\n${marked(answer)}`,
  ],
  [
    'a long line above an introduction',
    `§We are in the shop until 10:30 and then we go to the market on Oak:\nAnna <anna@agency.example> wrote:\n${answer}`,
  ],
  [
    'an answer below an introduction',
    `On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <anna@agency.example> wrote:\n§No:\n${answer}`,
  ],
  ['a long line', `§${'-'.repeat(300)} 10:01 <anna@agency.example>:\n${answer}`],
  [
    'many rows',
    `${'§From: Anna <anna@agency.example> 10:01\n'.repeat(2)}${'To: Anna at Agency\n'.repeat(12)}${answer}`,
  ],
  ['words between stars', `§**** WE CANCEL ****\nOn 3/2/26 10:01, Anna at Agency wrote:\n${answer}`],
  [
    'words between stars, above rows',
    `§**** WE CANCEL ****\nFrom: Anna <anna@agency.example>\nSent: 3/2/2026 10:01\n\n${answer}`,
  ],
  ['words between dashes', `§-----STOP-----\nOn 3/2/26 10:01, Anna at Agency wrote:\n${answer}`],
  ['what looks like headers', `§From: Oak Street\n§To: Lincoln Park\n\n${marked(answer)}`],
  ['what looks like an introduction', `§In 2019 my boss wrote:\n§We need more guests.\n\n${marked(answer)}`],
  [
    'an email of somebody else',
    '§From: Eve <eve@example.net>\n§To: Ada Lovelace <ada@example.com>\n§Date: 3/2/2026 10:01\n\n§> Too expensive!',
  ],
])('every line of a visitor is shown: %s', (_what, lines) => {
  const own = lines.split('\n').filter((line) => line.startsWith('§'))
  const words = quotedParts(`Hi,\n\n${lines.replaceAll('§', '')}`, conversation)
    .filter(({ isQuoted }) => !isQuoted)
    .flatMap((part) => part.text.split('\n'))
  expect(words).toEqual(expect.arrayContaining(own.map((line) => line.slice(1))))
})

test.each([
  ['On 3/4/26 10:01, Anna at Agency wrote:'],
  ['From: Anna <anna@agency.example>\nSent: 3/4/2026 10:01'],
  ['A line of a program:'],
])('the same answer above the same signature is shown again, to another question: %s', (introduction) => {
  const notice = 'This message is confidential, and only for its receiver. '.repeat(4).trim()
  const yes = `Yes, please do it.\n\nAda Lovelace\nThe Bakery\n\n${notice}`
  const earlier = `Hello Ada,\n\nCan we start?\n\nOn Monday, Ada wrote:\n${marked(yes)}`
  const texts = [...conversation.texts, yes, `${yes}\n\n${introduction.replace('4', '2')}\n\n${earlier}`]
  for (const greeting of ['', 'Hi Bob,\n\n']) {
    const text = `${greeting}${yes}\n\n${introduction}\n\n${answer}`
    const [first] = shown(text, { ...conversation, texts, sent: [answer, earlier] })
    expect(first).toContain(`${greeting}${yes}`)
  }
})

test.each([
  ['On Tue, Mar 3, 2026 at 2:06 PM Ada Lovelace <ada@example.com> wrote:'],
  [
    'From: Ada Lovelace <ada@example.com>\nSent: Tuesday, March 3, 2026 14:06\nTo: Anna at Agency <anna@agency.example>',
  ],
])("a person's earlier message is folded with what introduces it: %s", (introduction) => {
  const earlier = 'We need a new site for our bakery, with photos of the cakes.'
  const known = { ...conversation, texts: [...conversation.texts, earlier] }
  for (const quoted of [earlier, marked(earlier)])
    expect(shown(`PS: and one of the shop.\n\n${introduction}\n\n${quoted}`, known)).toEqual([
      'PS: and one of the shop.',
      `[${introduction}\n\n${quoted}]`,
    ])
})

test.each([
  ['Here it is again.\n\nBudget: 2500 EUR\nEmail: Ada <ada@example.com>'],
  ['Here it is again.\n\nDeadline: 15 May 2026\nContact: Ada (ada@example.com)'],
  ['Call me at: 10:30\nEmail: ada@example.com <mailto:ada@example.com>'],
  ['Please cancel the order, Ada <ada@example.com>:'],
  ['No, stop. Sam (sam@supplier.example) does it for half:'],
])('what a person writes above the own earlier message is shown, also with an address: %s', (words) => {
  const earlier = 'We need a new site for our bakery, with photos of the cakes.'
  const others = [...conversation.others, 'sam@supplier.example']
  const known = { ...conversation, others, texts: [...conversation.texts, earlier] }
  for (const quoted of [earlier, marked(earlier)])
    expect(shown(`${words}\n\n${quoted}`, known)[0]).toContain(words)
})

test('the same answer above the same signature is shown again below a marked quotation', () => {
  const yes = 'Yes, please do it.\n\nAda Lovelace\nThe Bakery'
  const texts = [...conversation.texts, `${marked('Hello Ada,\n\nCan we start?')}\n\n${yes}`]
  const text = `Hi Bob,\n\nOn 3/4/26 10:01, Anna at Agency wrote:\n${marked(answer)}\n\n${yes}`
  expect(shown(text, { ...conversation, texts }).at(-1)).toBe(yes)
})

test('a message that has nothing but our words is shown, unless a program has introduced them', () => {
  expect(shown(marked(answer))).toEqual([marked(answer)])
  const introduced = `On 3/4/26 10:01, Anna at Agency wrote:\n${marked(answer)}`
  expect(shown(introduced)).toEqual([`[${introduced}]`])
})

test.each([
  [
    '1. One page with photos: $2,400\nOK\n2. Hosting and changes: $60 a month\nToo much',
    ['[1. One page with photos: $2,400]', 'OK', '[2. Hosting and changes: $60 a month]', 'Too much'],
  ],
  [
    '> Do you want Package A or Package B?\nB\n>\n> Anna\n> Agency',
    ['[> Do you want Package A or Package B?]', 'B\n>', '[> Anna\n> Agency]'],
  ],
])('the lines of a quotation are folded around the answers between them: %s', (text, expected) => {
  const row = 'From: Anna <anna@agency.example>'
  expect(shown(`${row}\n\n${text}`)).toEqual([row, ...expected])
})

const said = 'yes no monday ten we call you site which day suits'
const words = fc
  .array(fc.constantFrom(...`${said} tiles May 15 $60 ?`.split(' ')), { minLength: 1, maxLength: 9 })
  .map((list) => list.join(' '))
const times = fc.constantFrom('3/5/2026', '10:01', 'May 3, 2026 at 10:01', '2019', 'Mon 17:30', '')
const people = fc.constantFrom('Anna', 'Ada Lovelace', 'ada@example.com', 'my boss', 'anna@agency.example')
const labels = fc.constantFrom('From', 'To', 'Date', 'Sent', 'Subject', 'Name', 'Von', 'Phone')
const visitorLine = fc.oneof(
  { weight: 3, arbitrary: words },
  fc.tuple(labels, fc.oneof(words, times, people)).map(([label, value]) => `${label}: ${value}`),
  fc.tuple(times, people, words).map((parts) => `On ${parts.join(' ')}:`),
  words.map((wish) => `${wish}, Ada <ada@example.com>:`),
  fc.tuple(people, words, times).map(([name, rest, time]) => `${name}, ${rest} ${time} ---`),
  fc.constantFrom('----------', '____ Anna', '*** no ***', '', '???', 'Anna:', 'Re:'),
)
const lines = (line: fc.Arbitrary<string>) => fc.array(line, { minLength: 1, maxLength: 8 })
/** The visitor's lines, and where each of them is, some of them marked. */
const visitor = lines(visitorLine).chain((list) =>
  fc.tuple(...list.map((line) => fc.tuple(fc.constantFrom(line, line, `> ${line}`), fc.nat(10)))),
)
const introductions = [
  '',
  'On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <anna@agency.example> wrote:',
  'On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency, Chicago\n<anna@agency.example> wrote:',
  'From: Anna <anna@agency.example>\nSent: Monday, March 2, 2026 10:01\nTo: Ada Lovelace\n',
  '-----Original Message-----\nFrom: Anna <anna@agency.example>\nSent: 3/2/2026\n',
]
const plain = (text: string) =>
  ` ${
    text
      .toLowerCase()
      .match(/[a-z0-9]+|[$?]/g)
      ?.join(' ') ?? ''
  } `

test('no line of a visitor is folded unless all of it repeats the conversation', () => {
  fc.assert(
    fc.property(
      visitor,
      lines(words),
      lines(words),
      fc.constantFrom(...introductions),
      fc.constantFrom('', '> ', '>> '),
      (own, ours, earlier, introduction, mark) => {
        const body = [introduction, ...ours.map((line) => `${mark}${line}`)]
        for (const [line, place] of own) body.splice(place % (body.length + 1), 0, line)
        const texts = [ours.join('\n'), earlier.join('\n'), ...conversation.texts]
        const visible = quotedParts(body.join('\n'), { ...conversation, texts })
          .filter((part) => !part.isQuoted)
          .flatMap((part) => part.text.split('\n').map((line) => line.trim()))
        const known = [...texts, ...conversation.sent].map(plain)
        for (const [line] of own)
          if (plain(line).trim() !== '' && !known.some((text) => text.includes(plain(line))))
            expect(visible).toContain(line.trim())
      },
    ),
    { numRuns: 3_000 },
  )
})

test('what others have written makes no row of a visitor an introduction', () => {
  const text = `Hi\n\nFrom: Anna <anna@agency.example>\nSent: 3/2/2026 10:01\nAnswer: yes\n\n${answer}`

  expect(shown(text, { ...conversation, heard: ['Answer: yes'] })).toEqual(shown(text))
})
