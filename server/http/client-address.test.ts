import { expect, test } from 'vitest'
import { createClientHash } from './client-address.ts'

const clientOf = createClientHash('a key')
const of = (ip: string) => clientOf({ ip })

test('an IPv6 customer with a whole /56 is one client, its neighbour another', () => {
  expect(of('2001:db8:1:100::1')).toBe(of('2001:db8:1:1ff:ffff::2'))
  expect(of('2001:db8:1:100::1')).not.toBe(of('2001:db8:1:200::1'))
})

test('IPv4 is the same client in IPv6 clothes', () => {
  expect(of('::ffff:192.0.2.1')).toBe(of('192.0.2.1'))
  expect(of('192.0.2.1')).not.toBe(of('192.0.2.2'))
})

test('the name of a client depends on the key and does not hold the address', () => {
  expect(createClientHash('another key')({ ip: '192.0.2.1' })).not.toBe(of('192.0.2.1'))
  expect(of('192.0.2.1')).toMatch(/^[\w-]{22}$/)
})
