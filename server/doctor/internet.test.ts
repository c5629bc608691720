import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '../env.ts'
import type { CheckContext, Found } from './check.ts'
import { checkRecipients, checkSenderDomain } from './mail-domains.ts'
import { checkProxy } from './proxy.ts'
import { sendTestEmails, testEmail } from './test-messages.ts'
import { askTime, checkTime } from './time.ts'

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
    resolve6: find,
    lookup: find,
  } as unknown as CheckContext['dns']
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

const now = new Date('2026-03-02T15:00:00Z')
const timeOff = (ms: number) => () => checkTime({ now, askTime: async () => new Date(now.getTime() + ms) })
const recipients =
  (zone: Record<string, object[]>, ...MAIL_TO: string[]) =>
  () =>
    checkRecipients({ MAIL_TO }, dns(zone))
const mx = [{ exchange: 'mx.agency.co', priority: 1 }]
const visitors =
  (zone: Record<string, string[]>, ...ownAddresses: string[]) =>
  () =>
    checkProxy(parseEnv({ SITE_URL: 'https://agency.co', TRUST_PROXY: '1' }), {
      dns: dns(zone),
      ownAddresses,
    })
const onIpv6 = { 'agency.co': ['2001:db8::1'], balancer: ['10.0.0.2'] }

test.each<[what: string, states: Found['state'][], check: () => Promise<Found | Found[]>]>([
  ['a clock that is a minute slow', ['ok'], timeOff(60_000)],
  ['a slow clock', ['problem'], timeOff(60_001)],
  ['a fast clock', ['problem'], timeOff(-60_001)],
  ['no time server', ['ok'], () => checkTime({ now, askTime: () => refusal('ETIMEOUT') })],
  ['recipients with a mail server, or here', ['ok'], recipients({ 'a.co': mx }, 'o@a.co', 'root@localhost')],
  ['one recipient without', ['problem'], recipients({ 'a.co': mx, 'b.co': [] }, 'o@a.co', 'o@b.co')],
  ['a domain that wants no email', ['problem'], recipients({ 'a.co': [{ exchange: '.' }] }, 'o@a.co')],
  ['visitors over IPv6 whom Docker hides', ['warning'], visitors(onIpv6, '10.0.0.3', '::1', 'fe80::1')],
  ['visitors over IPv6 to a container that has it', [], visitors(onIpv6, '2001:db8::2')],
  ['visitors over IPv6 to another proxy', [], visitors({ 'agency.co': ['2001:db8::1'] })],
  ['visitors over IPv4', [], visitors({ proxy: ['10.0.0.2'] })],
  [
    'a site on this machine, without TLS',
    [],
    () => checkProxy(parseEnv({ SITE_URL: 'http://[::1]:3000' }), { dns: dns({}), ownAddresses: [] }),
  ],
  ['no mail server', ['problem'], () => sendTestEmails('smtp://127.0.0.1:1', parseEnv({}), { now })],
])('%s: %j', async (_what, states, check) => {
  expect([await check()].flat().map(({ state }) => state)).toEqual(states)
})

test('without SITE_URL, the test email is from "your website"', () => {
  const { subject, text } = testEmail(
    { MAIL_FROM: { address: 'a@b.co' }, SITE_URL: undefined },
    'c@d.co',
    now,
  )
  expect([subject, text]).toEqual([
    'Test email from your website',
    expect.stringContaining('at your website.'),
  ])
})

test('the time of a time server counts from 1900', async () => {
  const server = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  server.on('message', (_request, { port, address }) => {
    const reply = Buffer.alloc(48)
    reply.writeUInt32BE(3_981_398_400, 40)
    server.send(reply, port, address)
  })
  await once(server, 'listening')

  expect(await askTime('127.0.0.1', server.address().port)).toEqual(new Date('2026-03-02T00:00:00Z'))
})

test('a time server that does not answer is given up on', async () => {
  const silent = createSocket('udp4').bind(0, '127.0.0.1')
  onTestFinished(() => void silent.close())
  await once(silent, 'listening')

  await expect(askTime('127.0.0.1', silent.address().port)).rejects.toThrow()
})
