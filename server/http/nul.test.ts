import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import request from 'supertest'
import { expect, test } from 'vitest'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { readBody } from './read-body.ts'

const site = useTestApp()

// PostgreSQL refuses NUL.
const addresses = ['/%00', '/%2f%00?a=1', '/assets/%00', `${contactPath}?a=%00`, `${formTokenPath}?%00`]
const ofInbox = ['/sign-in%00', '/sign-in/code?code=%00', '/leads/%00', '/leads?after=%00']
test.each([...addresses, ...ofInbox.map((path) => apiPath + path)])(
  'a NUL is rejected in %s',
  async (url) => {
    for (const method of ['get', 'post', 'put'] as const)
      expect((await request(site.app)[method](url)).status).toBe(400)
  },
)

test.each([
  ['application/json', '{"message":"a\\u0000b"}', 'a\u0001b'],
  ['application/json; charset="UTF-8"', '{"message":"a\\\\u0000b"}', 'a\\u0000b'],
  ['application/x-www-form-urlencoded', 'message=a%00b', 'a\u0001b'],
  ['application/x-www-form-urlencoded', 'message=a\0b', 'a\u0001b'],
])(
  'a NUL in a body of %s (%j) becomes a character that every database stores',
  async (type, body, message) => {
    const headers = { 'content-type': type }
    const sent = Object.assign(Readable.from([Buffer.from(body)]), { headers }) as unknown as IncomingMessage
    expect(await readBody(sent)).toEqual({ message })
  },
)
