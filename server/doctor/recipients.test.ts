import { expect, test } from 'vitest'
import { checkRecipients } from './recipients.ts'

const mx: Record<string, { exchange: string; priority: number }[] | string> = {
  'agency.co': [{ exchange: 'mx.agency.co', priority: 10 }],
  'no-mail.co': [{ exchange: '', priority: 0 }],
  'bare.co': 'ENODATA',
  'gone.co': 'ENOTFOUND',
  'slow.co': 'ETIMEOUT',
}
const resolveMx = async (domain: string) => {
  const records = mx[domain] ?? []
  if (typeof records === 'string') throw Object.assign(new Error(records), { code: records })
  return records
}
const check = (...mailTo: string[]) => checkRecipients(mailTo, true, resolveMx)

test('doctor lists the recipients, with or without a mail server', async () => {
  expect(await check('a@agency.co', 'b@agency.co')).toMatchObject([
    { state: 'ok', seen: 'Notices go to a@agency.co, b@agency.co.' },
  ])
  expect(await checkRecipients(['hello@agency.example'], false, resolveMx)).toMatchObject([
    { state: 'ok', seen: 'Notices are addressed to hello@agency.example.' },
  ])
  expect(await check('root@localhost')).toMatchObject([{ state: 'ok' }])
})

test.each([
  ['x@agency.example', 'problem', /^Notices go to x@agency\.example, .* reserved for examples/],
  ['x@gone.co', 'problem', /^Notices go to x@gone\.co, but this machine cannot find the domain gone\.co/],
  ['x@no-mail.co', 'problem', /^Notices go to x@no-mail\.co, but no-mail\.co does not accept email/],
  ['x@bare.co', 'warning', /^Notices go to x@bare\.co, but bare\.co has no mail server/],
  ['x@slow.co', 'warning', /DNS lookup of slow\.co failed \(ETIMEOUT\)/],
])('a mailbox that cannot receive email is reported: %s', async (address, state, seen) => {
  expect(await check('a@agency.co', address)).toMatchObject([
    { state: 'ok', seen: 'Notices go to a@agency.co.' },
    { state, seen: expect.stringMatching(seen) },
  ])
})
