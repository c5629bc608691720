import { expect, test } from 'vitest'
import { insertReply, signatureIn } from './choose-reply.tsx'

const template = 'Hello Ada,\n\n\n\nAnna'

test('the signature is the last part of a template, however many come before it', () => {
  const first = 'Hello Ada,\n\nThank you for your request.\n\n\n\nAnna\nPlumbline'
  expect([first, template].map(signatureIn)).toEqual(['Anna\nPlumbline', 'Anna'])
})

test.each([
  ['replaces the template', template, 'R'],
  ['replaces a template of which only blanks have changed', 'Hello Ada,\n\nAnna', 'R'],
  ['replaces the reply before it', 'Before', 'R'],
  ['replaces a slash in a line of its own', 'One\n/\nTwo', 'One\nR\nTwo'],
  ['stands at the cursor, in a paragraph of its own', 'One| two', 'One\n\nR two'],
  ['replaces what is selected', 'One\n|two| three', 'One\nR three'],
])('a reply %s', (_where, marked, expected) => {
  const [before = '', selected, after] = marked.split('|')
  const selectionStart = before.length
  const box = {
    value: marked.replaceAll('|', ''),
    selectionStart,
    selectionEnd: selectionStart + (after === undefined ? 0 : (selected ?? '').length),
  }

  expect(insertReply(box as HTMLTextAreaElement, 'R', { template, last: 'Before' })).toBe(expected)
})
