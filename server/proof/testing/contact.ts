import { once } from 'node:events'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type RequestOptions,
  request as sendRequest,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import request from 'supertest'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import type { TestApp } from './build-test-app.ts'
import { sampleRequest } from './sample-request.ts'

/** Returns functions that post to the app's contact endpoint and read what was stored. */
export function contactTools(site: TestApp) {
  const leads = () => site.db.selectFrom('leads').selectAll().orderBy('id').execute()
  return {
    leads,
    emails: () => site.db.selectFrom('outbox').selectAll().execute(),
    verdicts: async () => (await leads()).map((lead) => [lead.spam_score, lead.spam_reasons]),
    post: (body?: object | string, headers?: Record<string, string>) => postContact(site.app, body, headers),
    issueToken: async () => (await request(site.app).get(formTokenPath).expect(200)).text,
  }
}

/** Posts JSON to the contact endpoint of an app. */
export const postContact = (
  app: RequestListener,
  body: object | string = sampleRequest(),
  headers: Record<string, string> = {},
) => request(app).post(contactPath).set('Content-Type', 'application/json').set(headers).send(body)

/** Posts the form as a browser without JavaScript does. */
export const postForm = (app: RequestListener, fields: object | string) =>
  request(app).post(contactPath).type('form').send(fields)

/** Serves an app on a free port of this machine until disposed. */
export async function serve(app: RequestListener) {
  const server = createServer(app).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://localhost:${port}`,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/**
 * Sends a request and returns the raw response. supertest would add headers, join `chunks` and
 * decompress the response.
 */
export async function exchange(
  app: RequestListener,
  options: RequestOptions,
  chunks: readonly string[] = [],
  end = true,
) {
  using server = await serve(app)
  const client = sendRequest({ host: 'localhost', port: server.port, agent: false, ...options })
  for (const chunk of chunks) client.write(chunk)
  if (end) client.end()
  else client.flushHeaders()
  const [response] = (await once(client, 'response')) as [IncomingMessage]
  const body = await buffer(response)
  client.on('error', () => {}).destroy()
  return { status: response.statusCode, headers: response.headers, body }
}
