import { expect, test } from 'vitest'
import { MAX_ANSWER } from './lead.ts'
import { leadActions, leadChanges } from './lead-changes.ts'

const key = '5B0C5F5E-7E1C-4C39-9E5A-0D6E1A1C3B42'
const { answers, draft, notes } = leadActions

test('texts have the line breaks that are stored, and keys are in lower case', () => {
  const saved = { text: 'a\r\nb', base: 'a\r\n', version: 1 }

  expect(draft.parse(saved)).toEqual({ text: 'a\nb', base: 'a\n', version: 1 })
  expect(answers.parse({ ...saved, key })).toEqual({
    text: 'a\nb',
    base: 'a\n',
    version: 1,
    key: key.toLowerCase(),
  })
})

test('the text that a draft or an answer replaces can be longer than an answer', () => {
  const saved = { text: 'a', base: 'x'.repeat(MAX_ANSWER + 1), version: 1, key }

  for (const schema of [draft, answers]) expect(schema.parse(saved)).toMatchObject({ base: saved.base })
})

const many = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ reference: `Q-${index}`, version: 1 }))

test.each([
  ['an empty note', notes, { text: ' \n', key }, 'Please write something.'],
  ['a long draft', draft, { text: 'x'.repeat(MAX_ANSWER + 1), base: null, version: 1 }, 'Please use at most'],
  ['too many leads', leadChanges.undo, { leads: many(101) }, 'Choose at most 100 requests'],
  ['no leads', leadChanges.undo, { leads: [] }, 'incomplete data'],
])('%s is refused', (_what, schema, body, message) => {
  expect(schema.safeParse(body).error?.issues[0]?.message).toMatch(message)
})
