import { expect, test } from 'vitest'
import { codeInput, readCode, showCode } from './api.ts'

test.each([
  ...['K7MF29QX', 'k7mf29qx', ' K7MF-29QX ', 'k7mf 29qx', 'K7MF\u201329QX', 'K 7 M F 2 9 Q X'],
  ...['Your code:\r\nK7MF-29QX\r\n', 'code:K7MF-29QX (10 minutes)', 'Enter K7MF-29QX at www.agency.example'],
  showCode('K7MF29QX'),
  'Or open this link there: https://www.agency.example/inbox/sign-in#code=K7MF29QX',
  `${'Hello! Somebody wants to sign in to the inbox. '.repeat(12)}The code is K7MF-29QX.`,
])('the code in %j is found', (typed) => {
  expect(readCode(codeInput.parse({ code: typed }).code)).toBe('K7MF29QX')
})

test.each(['K7MF29QXX', 'K7MF-29QXX', 'aK7MF-29QX', 'Your code: K7MF-2', ''])(
  'there is no code in %j',
  (typed) => {
    expect(readCode(typed)).not.toHaveLength(8)
  },
)
