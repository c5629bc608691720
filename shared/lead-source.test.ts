import fc from 'fast-check'
import { expect, test } from 'vitest'
import { leadSource } from './inbox/lead.ts'
import { cleanSource } from './lead-source.ts'

const text = fc.string({ unit: 'binary', maxLength: 250 })
const source = fc.record({
  landing: text.map((path) => `/${path}`),
  referrer: text,
  parameters: fc.record({ utm_source: text, utm_id: text, gclid: text, email: text }, { requiredKeys: [] }),
})

test('cleaning makes any source valid, with values of at most 200 characters; cleaning it again changes nothing', () => {
  fc.assert(
    fc.property(fc.oneof(source, fc.jsonValue(), fc.object()), (value) => {
      const { landing = '', referrer = '', parameters = {}, ...others } = cleanSource(value)

      const cleaned = leadSource.parse(cleanSource(value))
      expect(cleanSource(JSON.parse(JSON.stringify(cleaned)))).toEqual(cleaned)
      expect(others).toEqual({})
      for (const part of [landing, referrer, ...Object.values(parameters)]) {
        expect(part.length).toBeLessThanOrEqual(200)
        expect(part).not.toMatch(/@|[\p{Cc}\p{Cs}]/u)
      }
    }),
  )
})

test('what a campaign says about itself is kept', () => {
  const names = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'utm_id']
  const parameters = Object.fromEntries(names.map((name) => [name, `a ${name}`]))
  expect(cleanSource({ parameters })).toEqual({ parameters })
})

test('of addresses, only the path and the host are kept', () => {
  expect(cleanSource({ landing: '/work?name=ada#top', referrer: 'WWW.Search.example' })).toEqual({
    landing: '/work',
    referrer: 'search.example',
  })
  expect(cleanSource({ landing: 'https://x.example/', referrer: 'https://x.example/?q=ada' })).toEqual({})
})
