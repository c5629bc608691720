import { expect, test } from 'vitest'
import { MAX_TEXT } from './limits.ts'
import { writtenIn } from './words.ts'

const ours = 'We could call you on Monday at ten, or on Tuesday.'
const conversation = { texts: [ours], sent: [], names: [], others: [] }
const read = (text: string) => writtenIn({ text, isCut: false }, conversation)

test('what is quoted below words that are cut off is left out', () => {
  const { written, quotes } = read(`Yes\n\n> ${ours}\n\n${'word '.repeat(MAX_TEXT / 5)}\n\n> ${ours}`)
  expect(written).toMatch(/^Yes\n\nword .* word\n\nMore of this message is in your mailbox\.$/s)
  expect(quotes.map(({ at }) => at)).toEqual([3])
  expect(read(`Yes${' '.repeat(MAX_TEXT)}No\n\n> ${ours}`)).toMatchObject({ quotes: [] })
  const short = read(`Yes\n\n> ${ours}\n\nNo\n\n> ${ours}`)
  expect(short.quotes.map(({ at }) => at)).toEqual([3, 7])
})

test.each(['$', '€', '%', '√', '×', '±', '?', '!', '👍', ':-)'])(
  'a mark that says something is a word: %s',
  (mark) => {
    expect(read(`Hi\n\n> ${ours} ${mark}`).quotes).toEqual([])
    expect(read(`Hi\n\n> ${ours}`).quotes).toHaveLength(1)
  },
)
