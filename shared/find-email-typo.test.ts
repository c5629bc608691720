import { expect, test } from 'vitest'
import { findEmailTypo } from './find-email-typo.ts'

test.each([
  ['ada@gmial.com', 'ada@gmail.com'],
  ['ada@gmal.com', 'ada@gmail.com'],
  ['ada@gmaill.com', 'ada@gmail.com'],
  ['ada@GMAIL.co', 'ada@gmail.com'],
  ['ada@gmail.con', 'ada@gmail.com'],
  ['ada@gmial.con', 'ada@gmail.com'],
  ['ada@yaho.com', 'ada@yahoo.com'],
  ['ada@hotnail.com', 'ada@hotmail.com'],
  ['ada@outlok.com', 'ada@outlook.com'],
  ['ada@iclould.com', 'ada@icloud.com'],
  ['ada@gamil.com', 'ada@gmail.com'],
  ['ada@gmai.com', 'ada@gmail.com'],
  ['ada@gmail.cm', 'ada@gmail.com'],
  ['ada@gmail.om', 'ada@gmail.com'],
  ['ada@gmail.comn', 'ada@gmail.com'],
  ['ada@gmial.co', 'ada@gmail.com'],
  ['ada@gmailcom', 'ada@gmail.com'],
  ['ada@gmail', 'ada@gmail.com'],
  ['ada@gmial', 'ada@gmail.com'],
  ['ada@g.mail.com', 'ada@gmail.com'],
  ['ada@ahoo.com', 'ada@yahoo.com'],
  ['ada@hotmial.com', 'ada@hotmail.com'],
  ['ada@outloook.cmo', 'ada@outlook.com'],
  ['ada@comcast.ney', 'ada@comcast.net'],
  ['ada@comcst.net', 'ada@comcast.net'],
  ['ada@protonmial.com', 'ada@protonmail.com'],
  ['ada@roofs.con', 'ada@roofs.com'],
  ['ada@roofs.cpm', 'ada@roofs.com'],
  ['ada@roofs.nett', 'ada@roofs.net'],
  ['ada@roofs.ogr', 'ada@roofs.org'],
])('%s is corrected to %s', (typed, correction) => {
  expect(findEmailTypo(typed)).toEqual({ question: `Did you mean ${correction}?`, correction })
})

test.each([
  'ada@gmail.com',
  'ada@Gmail.com',
  'ada@ymail.com',
  'ada@mail.com',
  'ada@email.com',
  'ada@yahoo.co.uk',
  'ada@hotmail.fr',
  'ada@acme.co',
  'ada@email.co',
  'ada@mail.co',
  'ada@cloud.co',
  'ada@ymail.co',
  'ada@fmail.com',
  'ada@gail.com',
  'ada@gmx.de',
  'ada@gmx.net',
  'ada@gmail.de',
  'ada@googlemail.com',
  'ada@web.de',
  'ada@me.com',
  'ada@mac.com',
  'ada@aol.com',
  'ada@live.com',
  'ada@line.com',
  'ada@msn.com',
  'ada@att.net',
  'ada@proton.me',
  'ada@protonmail.ch',
  'ada@yahoo.de',
  'ada@outlook.de',
  'ada@live.co.uk',
  'ada@comcast.com',
  'ada@horizon.net',
  'ada@verizon.com',
  'ada@wahoo.com',
  'ada@mail.ru',
  'ada@hey.com',
  'ada@fastmail.com',
  'ada@hushmail.com',
  'ada@roofs.cam',
  'ada@roofs.community',
  'ada@roofs.network',
  'ada@mail.gmail.example',
  'ada@gmx.com',
  'ada@roofs.example',
  'ada',
  'ada@',
  '',
])('no typo is found in %j', (typed) => {
  expect(findEmailTypo(typed)).toBeUndefined()
})

test('for an unknown domain without a dot, the result is a question without a correction', () => {
  expect(findEmailTypo('linus@example')).toEqual({
    question: 'Is this address complete? It has no dot after the @.',
  })
})

test('no typo is found in an address that has been corrected', () => {
  for (const domain of ['gmial.com', 'gmial.co', 'comcast.ney', 'roofs.con', 'roofs.ocm', 'gmail']) {
    const { correction = '' } = findEmailTypo(`ada@${domain}`) ?? {}
    expect([correction !== '', findEmailTypo(correction)]).toEqual([true, undefined])
  }
})
