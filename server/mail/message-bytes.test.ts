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

async function expectBuildBytes(body: string, subject?: string) {
  expect(messageBytes(messageWith(body, subject)).equals(await messageWith(body, subject).build())).toBe(true)
}

test('the bytes are those of nodemailer, for any text', async () => {
  const line = fc.oneof(
    fc.string(),
    fc.string({ unit: 'binary' }),
    fc.constantFrom('.', '--one', '=20', 'a'.repeat(76), `${'word '.repeat(30)}\t`, 'é'.repeat(90), '\ud800'),
    fc.constantFrom(...naughtyStrings),
  )
  const body = fc.array(line, { minLength: 1, maxLength: 8 }).map((lines) => `${lines.join('\r\n')}!`)
  await fc.assert(fc.asyncProperty(body, fc.string({ unit: 'binary' }), expectBuildBytes), { numRuns: 500 })
})

// nodemailer encodes 64 kB at a time, and may break lines elsewhere at the borders.
test.each(['word ', 'é', 'приве́т ', '=\r\n'])(
  'a long text of "%s" arrives unchanged, in short lines',
  async (unit) => {
    const text = unit.repeat(100_000)
    const bytes = messageBytes(messageWith(text))

    expect((await PostalMime.parse(bytes)).text?.replaceAll('\r', '')).toContain(text.replaceAll('\r', ''))
    expect(String(bytes)).not.toMatch(/.{77}/)
  },
)
