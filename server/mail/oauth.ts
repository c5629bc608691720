import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { runAlone } from '../database/differences.ts'
import { readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { addSecret } from '../errors/redaction.ts'

/**
 * Where a mail service that accepts no passwords issues access tokens (RFC 6749), and to whom. Without a refresh token, they
 * are for the client itself.
 */
export type OAuth = {
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope?: string | undefined
  refreshToken?: string | undefined
}

const DEADLINE_MS = 15_000
// Services limit how often they may be asked. What they ask for themselves counts up to an hour.
const PAUSE_MS = 10_000
const MAX_PAUSE_MS = 60 * 60 * 1_000
/** How long before its end a token is renewed, unless it lives for less than twice as long. */
const EARLY_MS = 5 * 60 * 1_000
/** Of a token that doesn't say when it ends. */
const USUAL_SECONDS = 3_600
const MAX_BYTES = 64_000

const issued = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(USUAL_SECONDS),
  refresh_token: z.string().min(1).optional(),
})
const refused = z.object({ error: z.string(), error_description: z.string().default('') })

/** Why there is no token, in the words of the service. */
export class TokenFailure extends Error {
  override name = 'TokenFailure'
}

export type Tokens = ReturnType<typeof createTokens>

/** Whether the login of a URL is a token: it names a user, and no password. */
export function needsToken(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' && password === ''
}

/**
 * Logs in to a mailbox with a token, if its URL has no password, and once again with another one if it is refused: a token can
 * end before its time.
 */
export async function withToken<Result>(
  url: string,
  tokens: Tokens | undefined,
  logIn: (token?: string) => Promise<Result>,
): Promise<Result> {
  if (!tokens || !needsToken(url)) return logIn()
  const token = await tokens.get()
  try {
    return await logIn(token)
  } catch (error) {
    if (!Object(error).authenticationFailed) throw error
    const another = await tokens.get(true)
    if (another === token) throw error
    return logIn(another)
  }
}

/** Creates the only place that asks for access tokens: once at a time, and at most each 10 s. */
export function createTokens(oauth: OAuth, { db, now }: { db: Database | undefined; now: () => Date }) {
  let held: { token: string; renewAt: number; endsAt: number } | undefined
  let asking: Promise<string> | undefined
  let asked = { at: -Infinity, pauseMs: 0, failure: undefined as unknown }

  /** Returns a token. `isRefused`: the mail server has refused the one that it got. Rejects with a `TokenFailure`. */
  async function get(isRefused = false): Promise<string> {
    const time = now().getTime()
    if (held && !isRefused && time < held.endsAt) {
      // Nobody waits for the next one. If it isn't issued, it is asked for again.
      if (time >= held.renewAt) next().catch(() => {})
      return held.token
    }
    return next()
  }

  /** Asks for another token, unless that is being done, or was done just now. */
  async function next(): Promise<string> {
    // A clock that was set back must not make the pause longer.
    const isPaused = Math.abs(now().getTime() - asked.at) < asked.pauseMs
    if (!asking && isPaused && asked.failure) throw asked.failure
    if (!asking && isPaused && held) return held.token
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }

  async function ask(): Promise<string> {
    asked = { at: now().getTime(), pauseMs: PAUSE_MS, failure: undefined }
    try {
      const answer = oauth.refreshToken === undefined ? await request() : await refresh()
      const lifeMs = answer.expires_in * 1_000
      const endsAt = now().getTime() + lifeMs
      held = { token: answer.access_token, endsAt, renewAt: endsAt - Math.min(EARLY_MS, lifeMs / 2) }
      return held.token
    } catch (error) {
      asked.failure = error
      throw error
    }
  }

  /** Some services issue another refresh token each time, and accept the last one no more. */
  async function refresh() {
    if (!db) throw new TokenFailure('There is no database that could keep the next refresh token.')
    let answer: z.infer<typeof issued> | undefined
    await runAlone(db, 'oauth', async () => {
      const token = await readRefreshToken(db, oauth)
      answer = await request(token)
      const next = answer.refresh_token
      if (next !== undefined && next !== token) await writeRefreshToken(db, oauth, next)
    })
    if (!answer) throw new TokenFailure('Another replica is asking for a token: this one asks in 10 seconds.')
    return answer
  }

  async function request(refreshToken?: string): Promise<z.infer<typeof issued>> {
    const { host } = new URL(oauth.tokenUrl)
    const body = new URLSearchParams({
      grant_type: refreshToken === undefined ? 'client_credentials' : 'refresh_token',
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
      ...(oauth.scope && { scope: oauth.scope }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    })
    const signal = AbortSignal.timeout(DEADLINE_MS)
    try {
      const response = await fetch(oauth.tokenUrl, { method: 'POST', body, redirect: 'error', signal })
      const content = parseJson(await readText(response))
      const answer = issued.safeParse(content)
      if (response.ok && answer.success) {
        for (const secret of [answer.data.access_token, answer.data.refresh_token ?? '']) addSecret(secret)
        return answer.data
      }
      asked.pauseMs = pauseOf(response)
      const { data } = refused.safeParse(content)
      const [line = ''] = data?.error_description.split(/[\r\n]/) ?? []
      const reason = data
        ? `${data.error}${line && `: ${line}`}`
        : 'its answer is not that of a token endpoint'
      throw new TokenFailure(`${host} issues no token (${response.status}): ${reason.slice(0, 500)}`)
    } catch (error) {
      if (error instanceof TokenFailure) throw error
      const { code, message } = errorFacts(errorFacts(error).cause ?? error)
      const reason = signal.aborted
        ? `no answer within ${DEADLINE_MS / 1_000} s`
        : `${code ?? ''} ${message}`.trim()
      throw new TokenFailure(`${host} issues no token: ${reason}`)
    }
  }

  return { get }
}

function pauseOf({ headers }: Response): number {
  const seconds = Number(headers.get('retry-after') ?? 0)
  return Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, Number.isFinite(seconds) ? seconds * 1_000 : 0))
}

/** The body, if it isn't far too long for a token. */
async function readText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.length
    if (bytes > MAX_BYTES) return ''
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The newest refresh token. If another one was put into the settings, or the client secret was changed, that of the settings. */
async function readRefreshToken(db: Database, oauth: OAuth): Promise<string> {
  const kept = await readNote(db, 'oauth_refresh_token')
  const given = oauth.refreshToken ?? ''
  const newest = kept?.of === hashOf(given) ? unseal(kept.sealed, oauth.clientSecret) : undefined
  if (newest) addSecret(newest)
  return newest ?? given
}

const writeRefreshToken = (db: Database, oauth: OAuth, token: string) =>
  writeNote(db, 'oauth_refresh_token', {
    of: hashOf(oauth.refreshToken ?? ''),
    sealed: seal(token, oauth.clientSecret),
  })

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
const keyOf = (secret: string) => Buffer.from(hkdfSync('sha256', secret, '', 'refresh token', 32))

const IV_BYTES = 12
const TAG_BYTES = 16

function seal(text: string, secret: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', keyOf(secret), iv)
  const encrypted = [cipher.update(text, 'utf8'), cipher.final()]
  return Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString('base64url')
}

/** Undefined if it was sealed with another secret. */
function unseal(sealed: string, secret: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', keyOf(secret), bytes.subarray(0, IV_BYTES))
  decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return undefined
  }
}
