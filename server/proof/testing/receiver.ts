import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

/** The status to respond with, or a function that sends the response or never responds. */
export type Response = number | ((response: ServerResponse, request: IncomingMessage) => void)
export type Receiver = Awaited<ReturnType<typeof openReceiver>>
type Post = {
  id: string
  timestamp: number
  body: string
  reference: string
  isSigned: boolean
  isJson: boolean
  isAlone: boolean
}

export const hang = () => {}

/**
 * Starts a receiver for the lead webhook. It records all requests, and also separately those that
 * it accepts.
 */
export async function openReceiver() {
  const requests: Post[] = []
  const accepted: Post[] = []
  let respond: Response = 204

  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const post = toPost(request, body)
    requests.push(post)
    if (typeof respond === 'function') return respond(response, request)
    if (respond < 300) accepted.push(post)
    response.writeHead(respond, { Location: '/elsewhere' }).end(`status ${respond}`)
  })
  server.on('clientError', (_error, socket) => socket.destroy())

  async function listen(port = 0) {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }

  async function close() {
    server.closeAllConnections()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }

  const port = await listen()
  return {
    url: `http://127.0.0.1:${port}/hook/token`,
    host: `127.0.0.1:${port}`,
    requests,
    accepted,
    respondWith(how: Response) {
      respond = how
      server.closeAllConnections()
    },
    /** Refuses connections until `reopen`. */
    close,
    reopen: () => listen(port),
  }
}

/**
 * Describes a request. Checks its signature as the Standard Webhooks specification says, without
 * the library that the program uses.
 */
function toPost({ headers }: IncomingMessage, body: string): Post {
  const id = String(headers['webhook-id'])
  const key = Buffer.from(webhookSecret.slice('whsec_'.length), 'base64')
  const signed = `${id}.${headers['webhook-timestamp']}.${body}`
  const expected = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`
  return {
    id,
    timestamp: Number(headers['webhook-timestamp']),
    body,
    reference: JSON.parse(body).data?.reference,
    isSigned: headers['webhook-signature'] === expected,
    isJson: headers['content-type'] === 'application/json',
    // Whether no other request uses the connection.
    isAlone: headers.connection === 'close',
  }
}
