import { expect, test } from 'vitest'
import type { LeadSource } from '#shared/inbox/lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, leads } = contactTools(site)
const sources = async () => (await leads()).map(({ source }) => JSON.parse(source))

const long = 'x'.repeat(7_000)
// lead-source.test.ts cleans many other values.
test.each<[string, unknown, LeadSource]>([
  ['null', null, {}],
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
