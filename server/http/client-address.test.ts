import { expect, test } from 'vitest'
import { createClientHash } from './client-address.ts'

const clientOf = createClientHash('a key')
const hashOf = (ip: string) => clientOf({ ip })

test('an IPv6 /56 is one client, and the next /56 is another', () => {
  expect(hashOf('2001:db8:1:100::1')).toBe(hashOf('2001:db8:1:1ff:ffff::2'))
  expect(hashOf('2001:db8:1:100::1')).not.toBe(hashOf('2001:db8:1:200::1'))
})

test('an IPv4-mapped address is the same client as the IPv4 address', () => {
  expect(hashOf('::ffff:192.0.2.1')).toBe(hashOf('192.0.2.1'))
  expect(hashOf('192.0.2.1')).not.toBe(hashOf('192.0.2.2'))
})

test('the hash depends on the key and does not contain the address', () => {
  expect(createClientHash('another key')({ ip: '192.0.2.1' })).not.toBe(hashOf('192.0.2.1'))
  expect(hashOf('192.0.2.1')).toMatch(/^[\w-]{22}$/)
})
