import { expect, test } from 'vitest'
import { createClient } from './imap.ts'

test.each([
  ['imaps://ada:p@mail.example', { host: 'mail.example', port: 993, secureConnection: true }],
  ['imap://ada:p@mail.example', { host: 'mail.example', port: 143, secureConnection: false }],
  ['imaps://ada:p@mail.müller.example', { host: 'mail.xn--mller-kva.example' }],
  ['imaps://ada:p@[::1]:1993', { host: '::1', port: 1993, secureConnection: true }],
])('the mailbox at %s is read from the usual port, unless the URL has another', (url, expected) => {
  expect(createClient(url)).toMatchObject(expected)
})

test('a user and a password may have any character, if the URL has it encoded', () => {
  const { options } = createClient('imaps://ada%40a.example:p%2F%25@mail.example')
  expect(options.auth).toEqual({ user: 'ada@a.example', pass: 'p/%' })
})
