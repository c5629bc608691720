import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quotedParts } from './quoted-parts.ts'

const names = ['Anna at Agency', 'Anna', 'anna@agency.example', 'Ada Lovelace', 'Ada', 'ada@example.com']
const answer =
  'Hello Ada,\n\nThank you for your request. We could call you on Monday at ten, or on Tuesday.\n\nWhich day suits you?\n\nAnna'
const conversation = { texts: ['We need a new site for our bakery.'], sent: [answer], names }
const marked = (text: string) => text.replace(/^/gm, '> ')
const shown = (text: string, texts = [...conversation.texts, answer]) =>
  quotedParts(text, { texts, sent: [], names }).map((part) => (part.isQuoted ? `[${part.text}]` : part.text))

test.each([
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <anna@agency.example> wrote:'],
  ['On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency, Chicago\n<anna@agency.example> wrote:'],
  ['Le lun. 2 mars 2026 à 10:01, Anna <anna@agency.example> a écrit\u00a0:'],
  ['בתאריך יום ב׳, 2 במרץ 2026 ב-10:01 מאת Anna <\u202aanna@agency.example\u202c>:\u200f'],
  ['Anna at Agency <anna@agency.example> 於 2026年3月2日 週一 上午10:01寫道：'],
  ['---- On Mon, 02 Mar 2026 10:01:02 -0600 Anna <anna@agency.example> wrote ---'],
  ['Od: Anna <anna@agency.example>\nWysłane: poniedziałek, 2 marca 2026 10:01\nDo: Ada\nTemat: Re'],
  ['________________________________\n*From:* Anna\n*Sent:* Monday, March 2, 2026 10:01'],
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
  ['between marked lines', '> Which day suits you?\nTuesday\n> Anna', ['Tuesday\n> Anna']],
  ['a word filled in', '> Which day suits you? Tuesday', ['> Which day suits you? Tuesday']],
  ['our words, as an answer', `Monday at ten\n\n${marked(answer)}`, ['Monday at ten']],
  [
    'our words, below an unmarked quotation',
    `On 3/2/26 10:01, Anna wrote:\n${answer}\n\nMonday at ten`,
    ['Monday at ten'],
  ],
  ['a mark', `${marked(answer)}\n👍`, ['👍']],
  [
    'a price',
    '> We could call you on Monday at ten, or on Tuesday. €',
    ['> We could call you on Monday at ten, or on Tuesday. €'],
  ],
  [
    'a greeting above our words',
    'Dear Anna:\n\nOn Tuesday.\n\nAda L.',
    ['Dear Anna:\n\nOn Tuesday.\n\nAda L.'],
  ],
  [
    'lines above an incomplete introduction',
    'Not before 3/5/2026\nMy number is 555 0199\nAnna wrote:\n> Which day suits you?\nFriday',
    ['Not before 3/5/2026\nMy number is 555 0199\nAnna wrote:', 'Friday'],
  ],
  [
    'a long line that looks like an introduction',
    'Anna, in 2026 we cannot pay more than 4000 dollars, and here is all the rest:\n> Which day suits you?',
    ['Anna, in 2026 we cannot pay more than 4000 dollars, and here is all the rest:'],
  ],
  [
    'rows of the visitor',
    'Contact: Ada Lovelace\nDeposit paid: no\n\non Tuesday',
    ['Contact: Ada Lovelace\nDeposit paid: no\n\non Tuesday'],
  ],
  [
    'words between stars',
    '**** WE CANCEL ****\nOn 3/2/26 Anna wrote:\n> Which day suits you?\nFriday',
    ['**** WE CANCEL ****', 'Friday'],
  ],
  ['the beginning of our line, as an answer', '> Which day suits you?\nAnna\n> Bye', ['Anna\n> Bye']],
  ['only marks', `${marked(answer)}\n???`, ['???']],
  ['nothing but our words', 'Monday at ten', ['Monday at ten']],
  [
    'a sentence of ours, written again',
    'We could call you on Monday at ten, or on Tuesday.\n\nFine.',
    ['We could call you on Monday at ten, or on Tuesday.\n\nFine.'],
  ],
  [
    'what looks like headers',
    `From: Oak Street\nTo: Lincoln Park\n\n${marked(answer)}`,
    ['From: Oak Street\nTo: Lincoln Park'],
  ],
  [
    'what looks like an introduction',
    `In 2019 my boss wrote:\nWe need more guests.\n\n${marked(answer)}`,
    ['In 2019 my boss wrote:\nWe need more guests.'],
  ],
])('what a visitor has written is shown: %s', (_what, text, expected) => {
  const words = quotedParts(text, conversation).filter(({ isQuoted }) => !isQuoted)
  expect(words.map((part) => part.text)).toEqual(expected)
})

test('what somebody else has written is not folded, also if it is marked', () => {
  expect(shown('Our supplier says:\n\n> The tiles come in May.')).toEqual([
    'Our supplier says:\n\n> The tiles come in May.',
  ])
})

const lines = fc.array(
  fc.oneof(
    fc
      .array(
        fc.constantFrom(
          ...'yes no monday ten we call you site which day suits tiles May 3 15 2026'.split(' '),
        ),
        {
          minLength: 1,
          maxLength: 9,
        },
      )
      .map((words) => words.join(' ')),
    fc.constantFrom(
      'From: Oak Street',
      'To: Lincoln Park',
      'Date: May 3, 2026 at 10:01',
      'In 2019, on May 3, my boss wrote:',
      'Phone: 312 555 0199',
      'Call me: Mon 17:30, or Tue 18:00',
      '----------',
      '> which day',
      '',
      '???',
    ),
  ),
  { minLength: 1, maxLength: 6 },
)
const formats: ((visitors: string[], ours: string[]) => string[])[] = [
  (visitors, ours) => [
    ...visitors,
    'On Mon, Mar 2, 2026 at 10:01 AM Anna wrote:',
    '',
    ...ours.map((line) => `> ${line}`),
  ],
  (visitors, ours) => [...visitors, '', 'From: Anna', 'Sent: Monday, March 2, 2026 10:01', '', ...ours],
  (visitors, ours) => [...ours.map((line) => `> ${line}`), ...visitors],
  (visitors, ours) => [...ours, ...visitors],
  (visitors, ours) =>
    ours.flatMap((line, index) => [`> ${line}`, ...(visitors[index] ? [visitors[index]] : [])]),
  (visitors, ours) => ours.flatMap((line, index) => [line, ...(visitors[index] ? [visitors[index]] : [])]),
]

test('no line of a visitor is folded unless all of it repeats the conversation', () => {
  fc.assert(
    fc.property(lines, lines, lines, fc.constantFrom(...formats), (visitors, ours, earlier, format) => {
      const texts = [ours.join('\n'), earlier.join('\n')]
      const words = quotedParts(format(visitors, ours).join('\n'), { texts, sent: [], names })
        .filter((part) => !part.isQuoted)
        .map((part) => part.text)
        .join('\n')
      const said = ` ${texts
        .join(' ')
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')} `
      for (const line of visitors.slice(0, ours.length)) {
        const plain = line
          .toLowerCase()
          .replace(/[^a-z0-9]+/g, ' ')
          .trim()
        if (plain !== '' && !said.includes(` ${plain} `)) expect(words).toContain(line)
      }
    }),
    { numRuns: 3_000 },
  )
})
