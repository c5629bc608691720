import { randomUUID } from 'node:crypto'
import PostalMime from 'postal-mime'
import { brand } from '#facts/brand.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { waitUntil } from '../testing/wait-until.ts'
import type { Harness } from './harness.ts'

/** Status 0 means that there was no response. */
type OwnerResponse = { status: number; text: string }
/** One answer, and the responses to every press of Send and Undo. */
export type Answer = {
  reference: string
  key: string
  text: string
  sends: OwnerResponse[]
  undos: OwnerResponse[]
}
export type OwnerClient = Awaited<ReturnType<typeof openOwnerClient>>

const DEADLINE_MS = 20_000
const CODE_DEADLINE_MS = 60_000

export const newAnswer = (reference: string): Answer => {
  const key = randomUUID()
  return { reference, key, text: `Answer ${key}`, sends: [], undos: [] }
}
export const isSent = ({ sends }: Answer) => sends.some(({ status }) => status === 200)
export const isUndone = ({ undos }: Answer) => undos.some(({ status }) => status === 200)

/** An owner who has signed in with an emailed code. The session survives restarts of the program. */
export async function openOwnerClient({ relay }: Harness, url: string, owner: string = brand.email) {
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  }

  async function call(path: string, body?: object, signal = AbortSignal.timeout(DEADLINE_MS)) {
    const how = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    try {
      const response = await fetch(path, { headers, signal, ...how })
      const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
      if (cookies.length > 0) headers.Cookie = cookies.join('; ')
      return { status: response.status, text: await response.text() }
    } catch {
      return { status: 0, text: '' }
    }
  }

  const earlier = relay.emails.length
  const codeEmail = () =>
    relay.emails.slice(earlier).find(({ recipient, text }) => recipient === owner && text.includes('#code='))
  await call(`${url}${apiPath}/sign-in`, { email: owner })
  await waitUntil('the code arrives', () => codeEmail() !== undefined, CODE_DEADLINE_MS)
  const { text } = await PostalMime.parse(codeEmail()?.text ?? '')
  const { status } = await call(`${url}${apiPath}/sign-in/code`, {
    code: /#code=(\w+)/.exec(text ?? '')?.[1],
  })
  if (status !== 200) throw new Error(`Signing in failed with status ${status}.`)

  return {
    /** Answers a lead that nobody has changed yet. Every call for an answer sends the same key, as the page's retries do. */
    async send(url: string, { reference, key, text, sends }: Answer, signal?: AbortSignal) {
      const path = `${url}${apiPath}/leads/${reference}/answers`
      const response = await call(path, { key, text, base: null, version: 0 }, signal)
      sends.push(response)
      return response
    },

    async undo(url: string, { reference, key, undos }: Answer) {
      const response = await call(`${url}${apiPath}/leads/${reference}/answers/${key}/undo`, {})
      undos.push(response)
      return response
    },
  }
}
