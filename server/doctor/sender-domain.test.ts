import { expect, test } from 'vitest'
import { checkSenderDomain } from './sender-domain.ts'

const spf = 'v=spf1 include:mail.service -all'
const dmarc = 'v=DMARC1; p=none'

/** A DNS resolver that knows only the names in `zone`. */
const dns = (zone: Record<string, string[]>) => async (name: string) => {
  const records = zone[name]
  if (!records) throw Object.assign(new Error(name), { code: 'ENOTFOUND' })
  if (records.length === 0) throw Object.assign(new Error(name), { code: 'ENODATA' })
  return records.map((record) => record.match(/.{1,10}/g) ?? [])
}
const check = (zone: Record<string, string[]>) => checkSenderDomain('site@mail.agency.co', dns(zone))

test('a domain is ok if it has an SPF record and its parent domain has a DMARC record', async () => {
  const findings = await check({ 'mail.agency.co': ['google-site=1', spf], '_dmarc.agency.co': [dmarc] })

  expect(findings.map(({ state }) => state)).toEqual(['ok', 'ok'])
})

test.each([
  ['no SPF', { 'mail.agency.co': [] }, 'problem', /has no SPF record/],
  ['two SPF records', { 'mail.agency.co': [spf, 'v=spf1 a -all'] }, 'problem', /has 2 SPF records/],
  [
    'an SPF record that allows no sender',
    { 'mail.agency.co': ['v=spf1 -all'] },
    'problem',
    /nobody may send/,
  ],
  ['an SPF record that allows every sender', { 'mail.agency.co': ['v=spf1 mx +all'] }, 'problem', /anyone/],
  ['an unknown domain', {}, 'problem', /cannot find the domain mail\.agency\.co/],
  ['no DMARC', { 'mail.agency.co': [spf] }, 'warning', /has no DMARC record/],
])('%s is reported', async (_name, zone, state, seen) => {
  const findings = await check(zone)

  expect(findings).toContainEqual(expect.objectContaining({ state, seen: expect.stringMatching(seen) }))
})

test('a sender address at a domain that is reserved for examples is reported', async () => {
  expect(await checkSenderDomain('hello@agency.example', dns({}))).toMatchObject([
    { state: 'problem', seen: expect.stringContaining('reserved for examples') },
  ])
})

test('a failed DNS lookup is only a warning', async () => {
  const broken = () => Promise.reject(Object.assign(new Error(), { code: 'ETIMEOUT' }))

  expect(await checkSenderDomain('site@agency.co', broken)).toMatchObject([
    { state: 'warning', seen: expect.stringContaining('ETIMEOUT') },
  ])
})
