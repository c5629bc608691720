import { createCipheriv, createDecipheriv, hash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { runAlone } from '../database/differences.ts'
import { type Notes, readNote, writeNote } from '../database/notes.ts'
import type { Database } from '../database/schema.ts'
import { errorFacts, messageOf } from '../errors/error-facts.ts'
import { addSecret } from '../errors/redaction.ts'

/**
 * Where a mail service that accepts no passwords issues access tokens (RFC 6749), and to whom.
 * Without a refresh token, they are for the client itself.
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
const MAX_LENGTH = 64_000
const MAX_QUOTED = 500

const issued = z.object({
  access_token: z.string().min(1),
  expires_in: z.coerce.number().positive().default(USUAL_SECONDS),
  refresh_token: z.string().optional(),
})
type Issued = z.infer<typeof issued>

export type Tokens = ReturnType<typeof createTokens>

/** Whether the login of a URL is a token: it names a user, and no password. */
export function needsToken(url: string): boolean {
  const { username, password } = new URL(url)
  return username !== '' && password === ''
}

/**
 * Logs in with a token, if the URL has no password, and once again with another one if it is
 * refused: a token can end before its time.
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
    if (errorFacts(error).code !== 'EAUTH' && !Object(error).authenticationFailed) throw error
    const another = await tokens.get(true)
    if (another === token) throw error
    return logIn(another)
  }
}

/**
 * Creates the only place that asks for access tokens: once at a time, and at most each 10 s. Each
 * replica has one.
 */
export function createTokens(oauth: OAuth, { db, now }: { db: Database | undefined; now: () => Date }) {
  let held: { token: string; renewAt: number; endsAt: number } | undefined
  let asked: { at: number; answer: Promise<string> } | undefined
  // From the last request to the next one. While there is no answer, it has no end.
  let pauseMs = 0
  let retryAfterMs = 0

  /** Returns a token. `isRefused`: the mail server has refused the one that it got. */
  async function get(isRefused = false): Promise<string> {
    const time = now().getTime()
    if (!held || isRefused || time >= held.endsAt) return next()
    // Nobody waits for the next one. If it isn't issued, it is asked for again.
    if (time >= held.renewAt) next().catch(() => {})
    return held.token
  }

  /** Asks for another token, unless that is being done, or was done just now. */
  function next(): Promise<string> {
    const at = now().getTime()
    // A clock that was set back must not make the pause longer.
    if (asked && Math.abs(at - asked.at) < pauseMs) return asked.answer
    pauseMs = Infinity
    asked = { at, answer: ask() }
    return asked.answer
  }

  async function ask(): Promise<string> {
    retryAfterMs = 0
    try {
      const answer = oauth.refreshToken === undefined ? await request() : await refresh()
      const lifeMs = answer.expires_in * 1_000
      const endsAt = now().getTime() + lifeMs
      held = { token: answer.access_token, endsAt, renewAt: endsAt - Math.min(EARLY_MS, lifeMs / 2) }
      return held.token
    } finally {
      pauseMs = Math.min(MAX_PAUSE_MS, Math.max(PAUSE_MS, retryAfterMs))
    }
  }

  /** Some services issue another refresh token each time, and accept the last one no more. */
  async function refresh(): Promise<Issued> {
    if (!db) throw new Error('There is no database yet that could keep the next refresh token.')
    let answer: Issued | undefined
    await runAlone(db, 'oauth', async () => {
      answer = await request(await readRefreshToken(db, oauth))
      if (answer.refresh_token) await writeNote(db, 'oauth_refresh_token', seal(answer.refresh_token, oauth))
    })
    if (!answer) throw new Error('Another replica is asking for a token: this one asks in 10 seconds.')
    return answer
  }

  async function request(refreshToken?: string): Promise<Issued> {
    const body = new URLSearchParams({
      grant_type: refreshToken === undefined ? 'client_credentials' : 'refresh_token',
      client_id: oauth.clientId,
      client_secret: oauth.clientSecret,
      ...(oauth.scope && { scope: oauth.scope }),
      ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    })
    const signal = AbortSignal.timeout(DEADLINE_MS)
    try {
      const response = await fetch(oauth.tokenUrl, { method: 'POST', body, redirect: 'manual', signal })
      retryAfterMs = Number(response.headers.get('retry-after')) * 1_000 || 0
      return readAnswer(response, await readText(response))
    } catch (error) {
      const reason = messageOf(errorFacts(error).cause ?? error)
      throw new Error(`${new URL(oauth.tokenUrl).host} issues no token: ${reason}`)
    }
  }

  return { get }
}

/** The body, if it isn't far too long for a token. */
async function readText({ body }: Response): Promise<string> {
  let text = ''
  for await (const part of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    if (text.length > MAX_LENGTH) return ''
  }
  return text
}

function readAnswer({ ok, status }: Response, text: string): Issued {
  const content = parseJson(text)
  const { success, data } = issued.safeParse(content)
  if (ok && success) {
    for (const secret of [data.access_token, data.refresh_token ?? '']) addSecret(secret)
    return data
  }
  const { error = 'this is not the answer of a token endpoint', error_description = '' } = Object(content)
  throw new Error(`${status} ${error} ${error_description}`.slice(0, MAX_QUOTED).trim())
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The newest refresh token; that of the settings, if it or the client secret was changed there. */
async function readRefreshToken(db: Database, oauth: OAuth): Promise<string | undefined> {
  const sealed = await readNote(db, 'oauth_refresh_token')
  const newest = sealed && unseal(sealed, oauth)
  if (newest) addSecret(newest)
  return newest ?? oauth.refreshToken
}

/**
 * A text that only somebody with the client secret can read, and only while the settings have the
 * same refresh token.
 */
type Sealed = Notes['oauth_refresh_token']

const CIPHER = 'aes-256-gcm'
const keyOf = ({ clientSecret, refreshToken = '' }: OAuth) =>
  hash('sha256', JSON.stringify([clientSecret, refreshToken]), 'buffer')

function seal(text: string, oauth: OAuth): Sealed {
  const iv = randomBytes(12)
  const cipher = createCipheriv(CIPHER, keyOf(oauth), iv)
  const encrypted = cipher.update(text, 'utf8', 'hex') + cipher.final('hex')
  return { iv: iv.toString('hex'), tag: cipher.getAuthTag().toString('hex'), text: encrypted }
}

/** Undefined if it was sealed with something else. */
function unseal({ iv, tag, text }: Sealed, oauth: OAuth): string | undefined {
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(oauth), Buffer.from(iv, 'hex'))
    decipher.setAuthTag(Buffer.from(tag, 'hex'))
    return decipher.update(text, 'hex', 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
