import { expect, test } from 'vitest'
import { addressesIn, addressesInText, senderIn } from './addresses.ts'

test.each([
  ['ada@example.com', 'ada@example.com'],
  ['Ada <ADA@example.com>', 'ada@example.com'],
  ['"Lovelace, Ada" <ada@example.com>', 'ada@example.com'],
  ['"Ada \\"x\\" L" <ada@example.com>', 'ada@example.com'],
  ['ada@example.com <ada@example.com>', 'ada@example.com'],
  ["o'brien+tag@ex-ample.co.uk", "o'brien+tag@ex-ample.co.uk"],
  ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
  ['"ada@example.com" <eve@evil.example>', 'eve@evil.example'],
  ['=?utf-8?Q?ada=40example.com?= <eve@evil.example>', 'eve@evil.example'],
  ['ada@example.com <eve@evil.example>', ''],
  ['eve@evil.example <ada@example.com>', ''],
  ['<ada@example.com> <eve@evil.example>', ''],
  ['<ada@example.com>@evil.example', ''],
  ['eve@evil.example, ada@example.com', ''],
  ['Both: ada@example.com, eve@evil.example;', ''],
  ['"ada@example.com"@evil.example', ''],
  ['"x@evil.example,ada"@example.com', ''],
  ['ada@exam\u202aple.com', ''],
  ['ada@exam\u0001ple.com', ''],
  ['ada@example.com\0@evil.example', ''],
  [`${'a'.repeat(300)}@example.com`, ''],
  ['ada@[192.0.2.1]', ''],
  ['ada@example.com (Ada Lovelace)', 'ada@example.com'],
  ['ada@example.com (eve@evil.example)', ''],
  ['ada@(x)example.com', ''],
  ['Ada Lovelace (she/her) <ada@example.com>', 'ada@example.com'],
  ['=?utf-8?Q?Ada_(Work:_Berlin)?= <ada@example.com>', 'ada@example.com'],
  ['Ada (eve@evil.example) <ada@example.com>', ''],
  ['ada(x)@evil.example <ada@example.com>', ''],
  ['ada@(x)evil.example <ada@example.com>', ''],
  ['Ada (<eve>) <ada@example.com>', ''],
  ['x: ada@example.com;', ''],
  ['Ada: <ada@example.com>;', ''],
  ['javascript:ada@example.com', ''],
  ['ada@\u212a.example', 'ada@k.example'],
  ['Ada@B\u00fccher.example', 'ada@xn--bcher-kva.example'],
  ['ada@bu\u0308cher.example', 'ada@xn--bcher-kva.example'],
  ['ada@example.com.', 'ada@example.com'],
  ['a\u200dda@example.com', ''],
  ['ada\ufe0f@example.com', ''],
  ['ada@exam\u200bple.com', ''],
  ['\u0430da@example.com', ''],
  ['\u0438\u0432\u0430\u043d2@example.com', '\u0438\u0432\u0430\u043d2@example.com'],
  ['ada@ex\u0430mple.com', 'ada@xn--exmple-4nf.com'],
  ['vic\u0327@example.com', 'vi\u00e7@example.com'],
  ['\u03b1da@example.com', ''],
  ['Ada\r\n\t<ada@example.com>', 'ada@example.com'],
  ['A\u0001da <ada@example.com>', ''],
  [`${'x'.repeat(1_000)} <ada@example.com>`, ''],
  ['', ''],
])('the sender in From: %j is %j', (header, sender) => {
  expect(senderIn([header])).toBe(sender)
})

test('several From headers name no sender', () => {
  expect(senderIn(['ada@example.com', 'eve@evil.example'])).toBe('')
  expect(senderIn([])).toBe('')
})

test('of other headers, each plain address counts once, up to a limit', () => {
  const [ada, bo] = ['Ada@example.com', 'bo@example.com'].map((address) => ({ name: '', address }))
  const group = { name: 'All', address: undefined, group: [{ name: '', address: 'carl@example.com' }] }
  expect(addressesIn([ada, ada, group, bo, undefined], 2)).toEqual(['ada@example.com', 'carl@example.com'])
  expect(addressesInText('rfc822; <Ada@example.com> or a,b@c.example', 5)).toEqual([
    'ada@example.com',
    'b@c.example',
  ])
  expect(addressesInText(`${'x'.repeat(10_000)} ada@example.com`, 5)).toEqual([])
})
