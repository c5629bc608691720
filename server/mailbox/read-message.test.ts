import type { MessageStructureObject } from 'imapflow'
import { expect, test } from 'vitest'
import { CUT, UNREADABLE, withoutCut } from '../leads/messages/message-text.ts'
import { MAX_BYTES, MAX_FIELDS, MAX_LINES, MAX_PARTS, MAX_TAGS, MAX_TEXT } from './limits.ts'
import { filesIn, textsBeyond } from './list-of-parts.ts'
import { readMessage } from './read-message.ts'
import { writtenIn } from './words.ts'

const crlf = (text: string) => text.replace(/\r?\n/g, '\r\n')
const plain = (body: string) => `Content-Type: text/plain; charset=utf-8\n\n${body}`
const html = (body: string) => `Content-Type: text/html; charset=utf-8\n\n${body}`
const both = (text: string, markup: string) =>
  `Content-Type: multipart/alternative; boundary=b\n\n--b\n${plain(text)}\n--b\n${html(markup)}\n--b--\n`
const read = (body: string | Buffer, headers = '') =>
  readMessage(
    Buffer.concat([
      Buffer.from(
        crlf(
          `From: Ada <Ada@Example.com>\nTo: hello@agency.example\nMessage-ID: <1@example.com>\n${headers}`,
        ),
      ),
      typeof body === 'string' ? Buffer.from(crlf(body)) : body,
    ]),
  )

const conversation = {
  texts: ['Hello Ada,\n\nYes, we can.\n\nAnna'],
  sent: [],
  others: [],
  names: ['Anna', 'hello@agency.example', 'Ada'],
}
/** The words of a message, and what is quoted in it. */
const readWords = async (body: string | Buffer) => writtenIn(await read(body), conversation)

const ours = '> Hello Ada,\n>\n> Yes, we can.\n>\n> Anna'
const YES = 'Yes, please!\n\nAda'

/** A plain reply that says YES, with these words before the quoted message. */
const reply = (words: string, quoted = `\n\n${ours}`) => plain(`${YES}\n\n${words}${quoted}\n`)
const outlook = (...headers: string[]) => reply(headers.join('\n'), '\n\nHello Ada,\n\nYes, we can.\n\nAnna')

/** Real forms of a reply that says YES, with a quoted message. */
const replies: Record<string, string> = {
  'Gmail, in English': reply('On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <hello@agency.example> wrote:'),
  'Gmail, wrapped': reply('On Mon, Mar 2, 2026 at 10:01 AM Anna at Agency <hello@agency.example>\nwrote:'),
  'Gmail, in French': reply('Le lun. 2 mars 2026 à 10:01, Anna <hello@agency.example> a écrit :'),
  'Gmail, in Spanish': reply('El lun, 2 mar 2026 a las 10:01, Anna (<hello@agency.example>) escribió:'),
  'Gmail, in Japanese': reply('2026年3月2日(月) 10:01 Anna <hello@agency.example>:'),
  'Apple Mail': reply('> On Mar 2, 2026, at 10:01 AM, Anna <hello@agency.example> wrote:', `\n> \n${ours}`),
  'Outlook, in English': outlook('From: Anna <hello@agency.example>', 'Sent: Monday, March 2, 2026'),
  'Outlook, with a line': outlook(
    '________________________________',
    'From: Anna',
    'Sent: Monday, March 2, 2026',
  ),
  'an old Outlook': outlook('-----Original Message-----', 'From: Anna [mailto:hello@agency.example]'),
  Thunderbird: reply('On 3/2/26 10:01, Anna at Agency wrote:', `\n${ours}`),
  'only quote marks': reply(ours, ''),
  'no quote': plain(`${YES}\n`),
  'quoted-printable': `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\nYes, ple=\nase!\n\nAda\n\n> Hello Ada,\n> Yes, we=\n can.\n`,
  base64: `Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n${Buffer.from(`${YES}\n\n> Hello Ada,`).toString('base64')}\n`,
  'HTML only': html('<p>Yes, please!</p><p>Ada</p>'),
  'HTML of Gmail': html(
    '<div dir="ltr">Yes, please!<br><br>Ada</div><br><div class="gmail_quote"><div class="gmail_attr">On Mon, Mar 2, 2026 at 10:01 AM Anna &lt;<a href="mailto:hello@agency.example">hello@agency.example</a>&gt; wrote:<br></div><blockquote>Hello Ada,<br>Yes, we can.</blockquote></div>',
  ),
  'HTML of Outlook': html(
    '<html><head><style>p {margin:0}</style></head><body><div>Yes, please!</div><div><br></div><div>Ada</div><hr><div id="divRplyFwdMsg"><b>From:</b> Anna &lt;hello@agency.example&gt;<br><b>Sent:</b> Monday, March 2, 2026 10:01<br><b>To:</b> Ada</div><div>Hello Ada,</div><div>Yes, we can.</div><div>Anna</div></body></html>',
  ),
  'an empty text and HTML': both(' ', '<p>Yes, please!</p><p>Ada</p>'),
  'a signature with a logo': `Content-Type: multipart/related; boundary=r\n\n--r\n${html('<p>Yes, please!</p><p>Ada</p><img src="cid:logo">')}\n--r\nContent-Type: image/png; name=logo.png\nContent-ID: <logo>\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBORw==\n--r--\n`,
}

test.each(Object.entries(replies))(
  'of a reply by %s, what the visitor wrote is separate from the quote',
  async (_name, body) => {
    const { written } = await readWords(body)
    expect(written.replace(/\s*Sent from my .*$/, '')).toBe(YES)
  },
)

test('text in windows-1252 is read', async () => {
  const body = Buffer.from(
    'Content-Type: text/plain; charset=windows-1252\r\n\r\nSch\xf6n \x96 50 \x80',
    'latin1',
  )
  expect((await read(body)).text).toBe('Schön – 50 €')
})

test('an answer between or below the quoted lines, and a quote alone, stay whole', async () => {
  const body = '> Which day suits you?\nMonday.\n> At what time?\nAt ten.'
  for (const whole of [body, `Hi,\n\n${body}`, ours])
    expect(await readWords(plain(whole))).toMatchObject({ written: whole, quotes: [] })
})

const mixed = (...parts: string[]) =>
  `Content-Type: multipart/mixed; boundary=b\n\n${parts.map((part) => `--b\n${part}\n`).join('')}--b--\n`

test.each([
  ['7bit', '> Which day?\n> \nTuesday, \nplease.'],
  ['7bit', '> Which day? \n\nTuesday, \nplease.'],
  ['quoted-printable', '> Which day?\n> =20\nTuesday,=20\nplease.'],
])(
  'in text with flowing lines (%s), an answer does not go on with what is quoted above',
  async (encoding, body) => {
    const type = `Content-Type: text/plain; format=flowed\nContent-Transfer-Encoding: ${encoding}`

    const { text } = await read(`${type}\n\n${body}`)

    const lines = text.split('\n').map((line) => line.trimEnd())
    expect(lines).toEqual(expect.arrayContaining(['> Which day?', 'Tuesday, please.']))
  },
)

test('a quoted line keeps a number that looks like a space of another encoding', async () => {
  expect((await read(plain('> https://a.example/?page=20\n\nThis one'))).text).toBe(
    '> https://a.example/?page=20\n\nThis one',
  )
})

test('HTML is read as such beside plain text that does not say the same', async () => {
  const table = '<table><tr><td>Mon<td>9-17</table><blockquote>We can</blockquote>'
  const { text } = await read(mixed(plain('Hello'), html(table), plain('Ada')))
  expect(text).toBe('Hello\nMon | 9-17\n\n> We can\n\nAda')
})

const photo = 'Content-Type: image/jpeg; name=roof.jpg\nContent-Transfer-Encoding: base64\n\nAAAA'
const forwarded = 'Content-Type: message/rfc822\n\nSubject: Roof\n\nThe old offer'
const words = (count: number) => 'word '.repeat(count / 5)

const cut: Record<string, string> = {
  'too long': plain(`Yes\n${words(MAX_TEXT)}`),
  'too many lines': plain(`Yes\n${'\n'.repeat(MAX_LINES)}No`),
  'too many parts': mixed(...Array.from({ length: MAX_PARTS + 1 }, () => plain('Yes'))),
  'too many fields': `${'X: y\n'.repeat(MAX_FIELDS)}${plain('Yes')}`,
  'a type that is too long': `Content-Type: text/plain; x="${words(5_000)}"\n\nYes`,
  'HTML that is too deep': html(`Yes${'<div>'.repeat(200)}No`),
  'HTML with too many tags': html(`Yes${'<br>'.repeat(MAX_TAGS)}No`),
  'an attached message': mixed(plain('Yes'), forwarded),
  'an attached message with a name': mixed(plain('Yes'), forwarded.replace('\n', '; name=a.eml\n')),
  'text of another type': mixed(plain('Yes'), 'Content-Type: text/calendar\n\nBEGIN:VCALENDAR'),
  'a part that begins without an empty line': mixed(plain('Yes'), 'No\nAda'),
  'text below the last part': `${mixed(plain('Yes'))}\nNo`,
}
test.each(Object.entries(cut))(
  'a text says in its last line that more is missing: %s',
  async (_name, body) => {
    const { written } = await readWords(body)
    expect(written).toMatch(/^Yes/)
    expect(written.endsWith(`\n\n${CUT}`)).toBe(true)
    expect(written.length).toBeLessThan(MAX_TEXT + 100)
  },
)

const unreadable: Record<string, string> = {
  'parts that never begin': 'Content-Type: multipart/mixed; boundary=a\n\n--b\n\nYes\n--b--',
  'a line of spaces below the headers': `X: y\n \nYes, please!\n\n`,
  'only an attached message': mixed(forwarded),
  'an encrypted message': 'Content-Type: application/pkcs7-mime\n\nAAAA',
  'an encrypted message, by its name': 'Content-Type: application/octet-stream; name=smime.p7m\n\nAAAA',
  'an answer to an invitation': 'Content-Type: text/calendar; name=a.ics\n\nBEGIN:VCALENDAR',
  'a file of Outlook': mixed('Content-Type: application/octet-stream; name=winmail.dat\n\nAAAA'),
  'text that is attached without a name': 'Content-Type: text/plain\nContent-Disposition: attachment\n\nYes',
  'text of no type': 'Content-Type: text\n\nYes',
  'text whose type is wrong': 'Content-Type: plain/text\n\nYes',
  'text whose type is empty': 'Content-Type:\n\nYes',
}
test.each(Object.entries(unreadable))(
  'of which nothing can be read, a message says so: %s',
  async (_name, body) => {
    expect((await readWords(body)).written).toBe(UNREADABLE)
  },
)

const complete: Record<string, string> = {
  'a photo': mixed(plain('Yes'), photo),
  'a photo that is cut off, and the headers of the next one': mixed(
    plain('Yes'),
    `${photo}${'A'.repeat(MAX_BYTES)}\n--b\nCont`,
  ).slice(0, -'\n--b--\n'.length),
  'a photo without a name': mixed(plain('Yes'), photo.replace('; name=roof.jpg', '')),
  'a signature': mixed(plain('Yes'), 'Content-Type: application/pkcs7-signature; name=smime.p7s\n\nAAAA'),
  'an attached text with a name': mixed(plain('Yes'), 'Content-Type: text/csv; name=a.csv\n\n1,2'),
  'text above the first part': mixed(plain('Yes')).replace('--b', 'This is a message in MIME format.\n--b'),
  'long headers of mail servers': `X-Spam: ${words(9_000)}\nSubject:\n Yes\n${plain('Yes')}`,
  'HTML with an ordinary depth': html(`${'<div>'.repeat(50)}Yes`),
  'a quoted boundary': mixed(plain('Yes'), photo).replace('boundary=b', 'Boundary="b"'),
  'the line of a mailbox file': `>From ada@example.com Mon Mar 2 10:01:00 2026\n${plain('Yes')}`,
  'spaces below a boundary': mixed(plain('Yes'), photo).replace('--b\n', '--b \t\n'),
}
test.each(Object.entries(complete))('a text that is complete stays as it is: %s', async (_name, body) => {
  expect((await readWords(body)).written).toBe('Yes')
})

test('a photo without words stays without words', async () => {
  expect((await readWords(mixed(photo))).written).toBe('')
})

test('if only what is quoted is too long, the line is there', async () => {
  const long = 'We said it before. '.repeat(2_000)
  const { written, quotes } = writtenIn(await read(plain(`Yes\n\n> ${long}`)), {
    texts: [long],
    sent: [],
    others: [],
    names: [],
  })
  expect(written).toBe('Yes')
  expect(quotes).toEqual([{ at: 3, text: expect.stringMatching(/^> We said .*\n\nMore of this message/) }])
})

test('the line comes once, and what is quoted in an answer is without it', async () => {
  const { written } = writtenIn({ text: `Yes\n\n${CUT}`, isCut: true }, conversation)
  expect(written).toBe(`Yes\n\n${CUT}`)
  expect(withoutCut(written)).toBe('Yes […]')
  expect(withoutCut('Yes')).toBe('Yes')
})

type Part = MessageStructureObject
const leaf = (type: string, size: number, more: object = {}) => ({ type, size, ...more }) as Part
const parts = (type: string, ...childNodes: Part[]) => ({ type: `multipart/${type}`, childNodes }) as Part
const text = leaf('text/plain', 500)
const markup = leaf('text/html', 1_000)
const big = leaf('image/jpeg', 3_000_000)
const csv = { parameters: { name: 'a.csv' } }

test.each<[string, Part, boolean]>([
  ['a photo after both forms of the text', parts('mixed', parts('alternative', text, markup), big), false],
  ['text after a photo', parts('mixed', text, big, text), true],
  ['nothing but a line break after a photo', parts('mixed', text, big, leaf('text/plain', 2)), false],
  [
    'a text file after a photo',
    parts('mixed', text, big, leaf('text/csv', 9, { disposition: 'attachment' })),
    false,
  ],
  [
    'HTML around a photo, below the same text',
    parts('alternative', text, parts('mixed', markup, big, markup)),
    false,
  ],
  [
    'the same below a stub',
    parts('alternative', leaf('text/plain', 4), parts('mixed', markup, big, markup)),
    true,
  ],
  ['a text that long headers push over the limit', leaf('text/plain', 125_000), true],
  ['an attached message', parts('mixed', text, leaf('message/rfc822', 200_000)), true],
])('the list of parts tells whether text lies beyond what is read: %s', (_name, root, expected) => {
  const sizeOf = ({ size = 0, childNodes = [] }: Part): number =>
    childNodes.reduce((total, child) => total + sizeOf(child), size)
  expect(textsBeyond(root, sizeOf(root) + 5_000).length > 0).toBe(expected)
})

test('what stands within the text is a file, such as a PDF, except a picture that may be a logo; a long name is cut off', () => {
  const inText = (size: number, name: string) => leaf('image/png', size, { parameters: { name } })
  const attached = { disposition: 'attachment', dispositionParameters: { filename: 'x'.repeat(200) } }
  const root = parts(
    'related',
    markup,
    // As Apple Mail sends a PDF that was dropped into the text.
    leaf('application/pdf', 50_000, { parameters: { name: 'plan.pdf' } }),
    inText(1_000, 'logo.png'),
    inText(60_000, 'pasted.png'),
    leaf('image/png', 2_000_000, { ...csv, ...attached }),
  )
  expect(filesIn(root)).toEqual([`${'x'.repeat(196)}.png (2 MB)`, 'pasted.png (60 kB)', 'plan.pdf (50 kB)'])
})

test('a file whose name is missing, or has no ending, gets the ending of its type, so that programs open it', () => {
  // As Outlook forwards an email, and as some scanners name what they send.
  const email = leaf('message/rfc822', 9_000, { disposition: 'attachment' })
  const scans = ['Scan', 'Offer No. 12', 'Scan 12.03.2026', ''].map((name) =>
    leaf('application/pdf', 9_000, { parameters: { name } }),
  )
  const unknown = leaf('application/octet-stream', 9_000)
  expect(filesIn(parts('mixed', email, ...scans, unknown, leaf('text/csv', 9_000, csv)))).toEqual([
    'unnamed file.eml (9 kB)',
    'Scan.pdf (9 kB)',
    'Offer No. 12.pdf (9 kB)',
    'Scan 12.03.2026.pdf (9 kB)',
    'unnamed file.pdf (9 kB)',
    'unnamed file (9 kB)',
    'a.csv (9 kB)',
  ])
})

test.each(['pkcs7-signature', 'x-pkcs7-signature', 'pgp-signature'])(
  'the signature of a signed email is none of its files: %s',
  (type) => {
    const signature = leaf(`application/${type}`, 7_000, { parameters: { name: 'smime.p7s' } })
    expect(filesIn(parts('signed', parts('mixed', text, leaf('text/csv', 9_000, csv)), signature))).toEqual([
      'a.csv (9 kB)',
    ])
  },
)

test('of a very long conversation, a message answers the newest emails, and the first', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `<${index}@example.com>`)
  const { answers } = await read(plain('Yes'), `References: ${ids.join('\n ')}\n`)

  expect(answers).toEqual([...ids.slice(-49).toReversed(), ids[0]])
})

test.each(['<a b>', `<${'a'.repeat(10_000)}>`, ''])(
  'a Message-ID that is none is replaced (%#)',
  async (id) => {
    const { messageId } = await readMessage(Buffer.from(`Message-ID: ${id}\r\n\r\nYes`))
    expect(messageId).toMatch(/^<[0-9a-f]{64}@no-message-id\.invalid>$/)
  },
)

const reaction = (words: string, type = 'text/vnd.google.email-reaction+json') =>
  mixed(plain(words), `Content-Type: ${type}\n\n{"emoji":"👍","version":1}`)
const gmail = '👍\n\nAda reacted via Gmail\n<https://www.google.com/gmail/about/>'

test('a reaction in Gmail is shown as one, and is automatic', async () => {
  const expected = { text: '👍\n\nAda reacted via Gmail', isAutoReply: true, isCut: false }
  expect(await read(reaction(gmail))).toMatchObject(expected)
})

test.each([
  ['words above the emoji', reaction(`Please start.\n\n${gmail}`)],
  ['words alone', reaction('Please start.')],
  ['an emoji alone', plain(gmail)],
  ['a part of another type', reaction(gmail, 'application/json')],
  ['Outlook', plain('[like]  Ada reacted to your message:')],
  ['a phone', plain('Liked “Yes, we can.”')],
])('what is not surely a reaction is a reply: %s', async (_name, body) => {
  expect(await read(body)).toMatchObject({ isAutoReply: false, isAutomatic: false })
})

const failureOf = (recipient: string, status: string) =>
  `Final-Recipient: rfc822; ${recipient}\nAction: Failed\nStatus: ${status}\n\n`

test('a report names the recipients that failed, each for its own reason, and the email that came back', async () => {
  const later = 'Final-Recipient: rfc822; eve@example.com\nAction: delayed\nStatus: 4.4.1\n\n'
  const forwarded = failureOf('ada@home.example', '5.2.2').replace(
    'Action',
    'Original-Recipient: rfc822;\n Ada@Example.com\nAction',
  )
  const parts = [
    plain('Sorry'),
    `Content-Type: message/delivery-status\n\nReporting-MTA: dns; x\n\n${failureOf('bo@example.com', '5.1.1')}${later}${forwarded}`,
    'Content-Type: text/rfc822-headers\n\nMessage-ID:\n <1@agency.example>\nSubject: Hi',
  ]
  const { bounce, text, isAutoReply } = await read(
    mixed(...parts).replace('multipart/mixed', 'Multipart/Report'),
  )
  expect({ bounce, text, isAutoReply }).toEqual({
    bounce: {
      messageId: '<1@agency.example>',
      subject: 'Hi',
      failed: [
        { address: 'bo@example.com', status: '5.1.1' },
        { address: 'ada@home.example', status: '5.2.2' },
        { address: 'ada@example.com', status: '5.2.2' },
      ],
    },
    text: 'Sorry',
    isAutoReply: true,
  })
})
