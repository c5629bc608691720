import { afterEach, expect, test, vi } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { createFormClues } from './form-clues.ts'

afterEach(() => void vi.unstubAllGlobals())

const formWith = (honeypot: string) =>
  ({ elements: { namedItem: () => ({ value: honeypot }) } }) as unknown as HTMLFormElement

test('the form token is requested on the first touch, again after sending, and is read together with the honeypot', async () => {
  let requests = 0
  vi.stubGlobal('fetch', async () => new Response(`token ${++requests}`))
  const clues = createFormClues()

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
    async () => new Response(`<html>${' '.repeat(1_000)}</html>`),
    async () => new Response('token'),
  ]
  vi.stubGlobal('fetch', () => responses.shift()?.() ?? Promise.reject())
  const clues = createFormClues()

  for (let touch = 0; touch < 3; touch++) await clues.onTouch()
  const before = clues.read(formWith(''))
  await clues.onTouch()

  expect(before).toEqual({ [honeypotField]: '', [formTokenField]: '' })
  expect(clues.read(formWith(''))[formTokenField]).toBe('token')
})
