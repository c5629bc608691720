import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type TokenEndpoint = Awaited<ReturnType<typeof openTokenEndpoint>>
/**
 * What it says instead of a token: a status and a body, or a function that responds, or never does.
 */
export type Refusal =
  | { status: number; body: unknown; headers?: Record<string, string> }
  | ((response: ServerResponse, request: IncomingMessage) => void)

/**
 * A token endpoint (RFC 6749) that issues a new access token for each request, with what a mail
 * server needs to check it. With a refresh token, it also issues a new one each time, and accepts
 * only the newest. `keepsLast`: and the one before, as most services do, in case the answer gets
 * lost.
 */
export async function openTokenEndpoint({
  refreshToken,
  keepsLast = false,
}: {
  refreshToken?: string
  keepsLast?: boolean
} = {}) {
  const state = {
    refusal: undefined as Refusal | undefined,
    expiresIn: 3_600 as unknown,
    requests: [] as { at: number; body: Record<string, string> }[],
    refreshToken,
    last: refreshToken,
    issued: 0,
    refused: 0,
    valid: new Set<string>(),
    user: 'hello@agency.example',
  }
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    const url = new URL(request.url ?? '', 'http://localhost')
    const asked = url.searchParams.get('token') ?? request.headers.authorization?.replace(/^Bearer /, '')
    // Dovecot asks whether a token is valid (RFC 7662).
    if (url.pathname === '/check')
      return json(response, 200, { active: state.valid.has(asked ?? ''), username: state.user })
    const body = Object.fromEntries(new URLSearchParams(text))
    state.requests.push({ at: Date.now(), body })
    if (typeof state.refusal === 'function') return state.refusal(response, request)
    if (state.refusal) return json(response, state.refusal.status, state.refusal.body, state.refusal.headers)
    const isLast = keepsLast && body.refresh_token === state.last
    if (state.refreshToken !== undefined && body.refresh_token !== state.refreshToken && !isLast) {
      state.refused++
      return json(response, 400, { error: 'invalid_grant' })
    }
    state.issued++
    const token = `access-token-${state.issued}`
    state.valid.add(token)
    state.last = body.refresh_token
    if (state.refreshToken !== undefined) state.refreshToken = `refresh-token-${state.issued}`
    return json(response, 200, {
      access_token: token,
      token_type: 'Bearer',
      expires_in: state.expiresIn,
      ...(state.refreshToken !== undefined && { refresh_token: state.refreshToken }),
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    state,
    url: `http://127.0.0.1:${port}/token`,
    checkUrl: `http://127.0.0.1:${port}/check?token=`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function json(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(text)
}
