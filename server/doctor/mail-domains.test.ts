import { expect, test } from 'vitest'
import type { Context } from './check.ts'
import { checkSenderDomain } from './mail-domains.ts'

const spf = 'v=spf1 include:mail.service -all'
const dmarc = 'v=DMARC1; p=none'
const keys = { '_domainkey.agency.co': [] }
const refusal = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

/** A DNS server that knows only the names in `zone`. A name without records exists. */
const dns = (zone: Record<string, unknown[] | string>) => {
  const find = async (name: string) => {
    const records = zone[name] ?? 'ENOTFOUND'
    if (typeof records === 'string') return refusal(records)
    return records.length > 0 ? records : refusal('ENODATA')
  }
  return {
    resolveTxt: async (name: string) =>
      ((await find(name)) as string[]).map((record) => record.match(/.{1,10}/g) ?? []),
    resolveMx: find,
  } as Pick<Context['dns'], 'resolveTxt' | 'resolveMx'>
}
const check = (zone: Record<string, string[] | string>, address = 'site@mail.agency.co') =>
  checkSenderDomain({ MAIL_FROM: { address } }, dns(zone))

test('a domain is ok with an SPF record, if it or its parent has DKIM keys and a DMARC record', async () => {
  const findings = await check({
    'mail.agency.co': ['google-site=1', spf],
    '_dmarc.agency.co': [dmarc],
    ...keys,
  })

  expect(findings).toMatchObject([{ state: 'ok', seen: expect.stringContaining(spf) }])
})

test.each([
  ['no SPF', { 'mail.agency.co': [] }, 'problem', /has no SPF record/],
  ['two SPF records', { 'mail.agency.co': [spf, 'v=spf1 a -all'] }, 'problem', /has 2 SPF records/],
  ['an SPF record that allows no sender', { 'mail.agency.co': ['v=spf1 -all'] }, 'problem', /has no SPF/],
  ['an unknown domain', {}, 'problem', /has no SPF record/],
  ['no DMARC', { 'mail.agency.co': [spf] }, 'warning', /has no DMARC record/],
  ['no DKIM', { 'mail.agency.co': [spf] }, 'warning', /has no DKIM key/],
  [
    'DKIM keys only of the parent, though DMARC demands the same domain',
    { 'mail.agency.co': [spf], '_dmarc.agency.co': ['v=DMARC1; p=none; adkim=s'], ...keys },
    'warning',
    /has no DKIM key/,
  ],
])('%s is reported', async (_name, zone, state, seen) => {
  expect(await check(zone as Record<string, string[]>)).toContainEqual(
    expect.objectContaining({ state, seen: expect.stringMatching(seen) }),
  )
})

test('DNS that does not answer is no missing record', async () => {
  await expect(check({ 'mail.agency.co': 'ETIMEOUT' })).rejects.toMatchObject({ code: 'ETIMEOUT' })
  await expect(
    check({ 'mail.agency.co': [spf], '_dmarc.agency.co': [dmarc], '_domainkey.mail.agency.co': 'ESERVFAIL' }),
  ).rejects.toMatchObject({ code: 'ESERVFAIL' })
})
