import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UNREADABLE } from '../leads/messages/message-text.ts'
import { type MailMessage, readMessage } from './read-message.ts'
import { writtenIn } from './words.ts'

/**
 * Messages as mail programs write them, in answer to our emails. `words`: what the visitor wrote.
 * `folded`: what is quoted.
 */
type Sample = Record<'file' | 'conversation' | 'answers' | 'kind', string> &
  Record<'words' | 'folded', string[]>
type Said = {
  conversation: string
  visitor: Record<'firstName' | 'lastName' | 'email' | 'message', string>
  reply: string
  sent: Record<'messageId' | 'subject' | 'text', string>[]
}

const folder = join(import.meta.dirname, '../proof/testing/messages')
const { conversations, messages }: { conversations: Said[]; messages: Sample[] } = JSON.parse(
  readFileSync(join(folder, 'index.json'), 'utf8'),
)

const ourNames = [
  'Anna at Plumbline',
  'Anna at Agency',
  'Plumbline',
  'site@agency.example',
  'hello@agency.example',
]

async function readSample({ file, conversation, answers }: Sample) {
  const source = readFileSync(join(folder, file), 'latin1').replaceAll('\n', '\r\n')
  const message = await readMessage(Buffer.from(source, 'latin1'))
  const said = conversations.find((one) => one.conversation === conversation) as Said
  const { firstName, lastName, email } = said.visitor
  const sent = said.sent.slice(0, 1 + said.sent.findIndex(({ messageId }) => messageId === answers))
  const words = writtenIn(message, {
    others: [`${firstName} ${lastName} ${email}`],
    texts: [said.visitor.message, said.reply, ...sent.map(({ subject }) => subject)],
    sent: sent.map(({ text }) => text),
    names: ourNames,
  })
  return { message, ...words }
}

/** Without what programs change: spaces, and marks of quotations and emphasis. */
const plain = (text: string) => text.normalize('NFKC').replace(/[\s>|*_\p{Cf}]/gu, '')

const kindOf = (message: MailMessage, written: string) => {
  if (message.bounce) return 'bounce'
  if (written === UNREADABLE) return 'not readable here'
  return message.isAutoReply ? 'automatic' : message.isAutomatic ? 'passed on by a program' : 'reply'
}

test('of every message, all words of the visitor are visible, and nearly all that is quoted is folded', async () => {
  const hidden: string[] = []
  let quoted = 0
  let folded = 0
  for (const sample of messages) {
    const { written } = await readSample(sample)
    const visible = plain(written)
    for (const words of sample.words)
      if (!visible.includes(plain(words))) hidden.push(`${sample.file}: ${words}`)
    quoted += sample.folded.length
    folded += sample.folded.filter((text) => !visible.includes(plain(text))).length
  }

  expect(hidden).toEqual([])
  expect(folded / quoted).toBeGreaterThan(0.98)
})

test.each(messages.filter(({ kind }) => kind !== 'reply'))('$file is of the kind "$kind"', async (sample) => {
  const { message, written } = await readSample(sample)
  // Only Gmail marks its reactions.
  const expected =
    sample.kind === 'reaction' ? (/gmail/.test(sample.file) ? 'automatic' : 'reply') : sample.kind
  expect(kindOf(message, written)).toBe(expected)
})

test('our own answer is recognized if a mail service stores it with another Message-ID', async () => {
  const sample = { file: 'sent-copy-changed-id.eml', conversation: 'E', kind: '', words: [], folded: [] }
  const { isCopy } = await readSample({
    ...sample,
    answers: '<11111111-2222-4333-8444-555555555555.answer@agency.example>',
  })
  expect(isCopy).toBe(true)
})
