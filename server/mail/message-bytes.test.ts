import fc from 'fast-check'
import MailComposer from 'nodemailer/lib/mail-composer'
import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { naughtyStrings } from '../proof/testing/vectors.ts'
import { messageBytes } from './message-bytes.ts'

const messageWith = (body: string, subject = 'A request') =>
  new MailComposer({
    from: { name: subject, address: 'hello@agency.example' },
    to: 'anna@agency.example',
    subject,
    text: body,
    html: `<p>${body}</p>`,
    date: new Date(0),
    messageId: '<one@agency.example>',
    baseBoundary: 'one',
  }).compile()

async function expectSameBytes(body: string, subject: string) {
  expect(messageBytes(messageWith(body, subject)).equals(await messageWith(body, subject).build())).toBe(true)
}

test("the bytes are the same as nodemailer's, for any text that it encodes in one go", async () => {
  // Replaces fast-check's unit 'binary', which would take a second to build its table of all characters.
  const anyText = fc.string({ unit: fc.nat({ max: 0x10_ffff }).map((code) => String.fromCodePoint(code)) })
  const line = fc.oneof(
    fc.string(),
    anyText,
    fc.constantFrom('.', '--one', '=20', 'a'.repeat(76), `${'word '.repeat(30)}\t`, 'é'.repeat(90), '\ud800'),
    fc.constantFrom(...naughtyStrings),
  )
  const body = fc
    .tuple(fc.array(line, { minLength: 1, maxLength: 8 }), fc.constantFrom('!', '\r\n'))
    .map(([lines, end]) => lines.join('\r\n') + end)
  await fc.assert(fc.asyncProperty(body, anyText, expectSameBytes), { numRuns: 100 })
})

// nodemailer encodes 64 kB at a time, so near those borders it may break lines in other places.
test.each(['word ', 'naïve', 'Zoë déjà ', 'приве́т ', 'a=b\r\n'])(
  'a long text of %j arrives unchanged, in short lines',
  async (unit) => {
    const text = unit.repeat(30_000)
    const bytes = messageBytes(messageWith(text))

    const received = await PostalMime.parse(bytes)
    const withLf = text.replaceAll('\r', '')
    expect(received.text?.replaceAll('\r', '').startsWith(withLf)).toBe(true)
    expect(received.html?.replaceAll('\r', '').startsWith(`<p>${withLf}</p>`)).toBe(true)
    expect(String(bytes)).not.toMatch(/.{77}/)
  },
)

test('a message with an attachment is rejected instead of sent without it', () => {
  const message = new MailComposer({ text: 'Hello', attachments: [{ content: Buffer.from('a') }] }).compile()

  expect(() => messageBytes(message)).toThrow('not text')
})
