import { expect, test } from 'vitest'
import { plans } from '#facts/plans.ts'
import {
  fillIn,
  firstReplies,
  placeholders,
  placeholdersIn,
  savedReplies,
  unknownIn,
} from './saved-replies.ts'

const [plan] = plans
const facts = { firstName: 'Ada', budget: plan.id, signature: 'Anna', now: new Date('2026-03-02T15:00:00Z') }

test('every placeholder is filled in', () => {
  const text = placeholders.map((name) => `{${name}}`).join('|')
  expect(placeholdersIn(text)).toHaveLength(placeholders.length)
  const filled = fillIn(text, facts)
  expect(placeholdersIn(filled)).toEqual([])
  expect(filled).toMatch(new RegExp(`^Ada\\|${plan.name}\\|.*${plan.setup}.*\\|.+\\|Anna$`))
})

test.each(['{quote date français}', '{quote date xx}', '{ quote date: fr }', '{quote date in french}'])(
  '%s is in no known language, so it stays marked',
  (text) => {
    expect([fillIn(text, facts), placeholdersIn(text), unknownIn(text)]).toEqual([text, [text], [text]])
  },
)

test('a reply keeps its lines, and its name is on one line', () => {
  const replies = [{ name: 'Three\nquestions', text: 'One\r\ntwo' }]
  expect(savedReplies.parse({ replies })).toEqual({
    replies: [{ name: 'Three questions', text: 'One\ntwo' }],
  })
})

test('what is not known stays as it is, so that it can be marked', () => {
  const text = 'Dear {first nam}, the price is {price}.'
  expect(placeholdersIn(fillIn(text, { ...facts, budget: '' }))).toEqual(['{first nam}', '{price}'])
})

test.each([
  '{First Name}',
  '{ first name }',
  '{first\u00a0name}',
  '{first_name}',
  '\u0024{first_name}',
  '{FIRST-NAME}',
  '｛first name｝',
  '{{first name}}',
  '{{ First_Name }}',
])('%s is filled in', (text) => {
  expect(placeholdersIn(text)).toHaveLength(1)
  expect(fillIn(text, facts)).toBe('Ada')
  expect(unknownIn(text)).toEqual([])
})

const ofOthers = ['{{contact.first_name}}', '{{ contact.firstname | default: "you" }}', '{contact.name}']
const inBrackets = [
  '[first name]',
  '[Your Name]',
  '[NAME]',
  '<first name>',
  '<Client_Name>',
  '«First_Name»',
  '[price]',
]
const withSigns = ['%first_name%', '%user.name%', '*|FNAME|*', '{!Contact.FirstName}', '{%name%}']

test.each([
  ...['{Vorname}', '{prénom}', '{name2}', '{firstname}', '{some_thing}'],
  ...[...ofOthers, ...inBrackets, ...withSigns],
])('%s is marked', (text) => {
  expect([fillIn(text, facts), unknownIn(text + text)]).toEqual([text, [text]])
})

const ordinary = [
  '[see attachment]',
  '100 % first',
  '10%, name 20%',
  'Ada <name@example.com>',
  '<b>',
  '*Price*',
]

test.each([
  ...['{}', '{1}', '{a\nb}', 'if (x) { return }', '{{', '{a: 1}', '{ data }', '{"a": 1}'],
  ...[...ordinary, '|Name|Price|', '[Plan](https://example.com)', 'style={{ color: 1 }}', '[1]', '<name'],
])('%s is no placeholder', (text) => {
  expect(placeholdersIn(text)).toEqual([])
})

test.each(firstReplies.replies)('the reply "$name" can be sent at once', ({ text }) => {
  expect(placeholdersIn(fillIn(text, { ...facts, budget: '' }))).toEqual([])
})
