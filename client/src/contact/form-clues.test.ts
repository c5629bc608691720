import { expect, test } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { createFormClues } from './form-clues.ts'

const formWith = (honeypot: string) =>
  ({ elements: { namedItem: () => ({ value: honeypot }) } }) as unknown as HTMLFormElement

test('the form token is requested on the first touch, again after sending, and is read together with the honeypot', async () => {
  let requests = 0
  const clues = createFormClues({ fetch: async () => new Response(`token ${++requests}`) })

  await Promise.all([clues.onTouch(), clues.onTouch()])
  await clues.onTouch()

  expect(clues.read(formWith('x'))).toEqual({ [honeypotField]: 'x', [formTokenField]: 'token 1' })
  clues.forget()
  await clues.onTouch()
  expect(clues.read(formWith('x'))).toMatchObject({ [formTokenField]: 'token 2' })
})

test('after a failed token request, the next touch retries', async () => {
  const responses = [
    () => Promise.reject(new TypeError('offline')),
    async () => new Response('Oh', { status: 500 }),
    async () => new Response('token'),
  ]
  const clues = createFormClues({ fetch: () => responses.shift()?.() ?? Promise.reject() })

  await clues.onTouch()
  await clues.onTouch()
  const before = clues.read(formWith(''))
  await clues.onTouch()

  expect(before).toEqual({ [honeypotField]: '', [formTokenField]: '' })
  expect(clues.read(formWith(''))[formTokenField]).toBe('token')
})
