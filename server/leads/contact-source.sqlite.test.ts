import { expect, test } from 'vitest'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, leads } = contactTools(site)
const sources = async () => (await leads()).map(({ source }) => JSON.parse(source))

const campaign = { utm_source: 'newsletter', utm_campaign: 'spring roofs' }

test('the source is stored with the lead, and a replay or duplicate from another source changes nothing', async () => {
  const source = { landing: '/', referrer: 'search.example', parameters: campaign }
  const key = { 'Idempotency-Key': 'one' }
  const first = await post({ ...sampleRequest(), source }, key).expect(200)

  const replay = await post({ ...sampleRequest(), source: { referrer: 'other.example' } }, key).expect(200)
  const duplicate = await post(sampleRequest()).expect(200)

  expect([replay.body, duplicate.body]).toEqual([first.body, first.body])
  expect(await sources()).toEqual([source])
})

const long = 'x'.repeat(7_000)
test.each<[string, unknown, LeadSource]>([
  ['null', null, {}],
  ['a number', 5, {}],
  ['text', 'newsletter', {}],
  ['an array', ['/', 'search.example'], {}],
  [
    'values that are not text',
    { landing: ['/'], referrer: {}, parameters: { utm_source: 1, gclid: {} } },
    {},
  ],
  ['parameters in an array', { landing: '/', parameters: ['utm_source'] }, { landing: '/' }],
  ['deep nesting', { parameters: { utm_source: JSON.parse('['.repeat(4_000) + ']'.repeat(4_000)) } }, {}],
  [
    'prototypes',
    JSON.parse('{"__proto__":{"landing":"/a"},"parameters":{"__proto__":{"utm_term":"b"}}}'),
    {},
  ],
  [
    'a very long value',
    { landing: `/${long}`, parameters: { utm_source: long } },
    { landing: `/${'x'.repeat(199)}`, parameters: { utm_source: 'x'.repeat(200) } },
  ],
  [
    'invisible characters',
    { parameters: { utm_source: ' a\0b\r\nBcc:\u202ec\u2028\ud800 ' } },
    { parameters: { utm_source: 'a b Bcc: c' } },
  ],
  ['a path with a query', { landing: '/thanks?name=Ada#Lovelace' }, { landing: '/thanks' }],
  ['a URL as the path', { landing: 'https://x.example/' }, {}],
  ['a URL as the host', { referrer: 'https://x.example/?q=ada' }, {}],
  ['the id of a click', { parameters: { gclid: 'Cj0KCQiA7' } }, { parameters: { gclid: '1' } }],
  ['unknown parameters', { parameters: { email: 'ada', utm_user: 'ada', fullname: 'Ada' } }, {}],
  [
    'an email address',
    { landing: '/bye/ada%40example.com', parameters: { utm_term: 'ada@example.com', utm_id: '7' } },
    { parameters: { utm_id: '7' } },
  ],
])(
  'a lead is stored even if its source is or contains %s, but only allowed values of the source are kept',
  async (_what, source, stored) => {
    await post({ ...sampleRequest(), source }).expect(200)

    expect(await sources()).toEqual([stored])
  },
)
