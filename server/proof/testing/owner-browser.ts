import { randomUUID } from 'node:crypto'
import type { RequestListener } from 'node:http'
import type { Insertable } from 'kysely'
import request from 'supertest'
import { apiPath } from '#shared/inbox/api.ts'
import { fileHeaders, fileOfDraft } from '#shared/inbox/files.ts'
import type { Schema } from '../../database/schema.ts'
import { createSignInLink } from '../../inbox/sign-in/codes.ts'
import type { buildTestApp } from './build-test-app.ts'

type Site = Awaited<ReturnType<typeof buildTestApp>>
export type OwnerBrowser = ReturnType<typeof openBrowser>

const chromeOnAndroid =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36'
export const firefoxOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:144.0) Gecko/20100101 Firefox/144.0'

/**
 * Simulates an owner's browser, which sends requests to the inbox's API and keeps its own cookies.
 * `headers` are added to each request; a value of undefined removes a default header.
 */
export function openBrowser(app: RequestListener, headers: Record<string, string | undefined> = {}) {
  const cookies = new Map<string, string>()
  const all = { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': chromeOnAndroid, ...headers }
  const given = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))

  const cookie = () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')

  async function send(method: 'get' | 'post' | 'put' | 'delete', path: string, body?: object, more = {}) {
    const sent = request(app)
      [method](apiPath + path)
      .set({ ...given, ...more } as Record<string, string>)
      .set('Cookie', cookie())
    if (path.endsWith('format=xlsx')) sent.responseType('blob')
    const response = await (method === 'get' ? sent : sent.type('json').send(body ?? {}))
    for (const line of ([] as string[]).concat(response.headers['set-cookie'] ?? [])) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') cookies.delete(name)
      else cookies.set(name, value)
    }
    return response
  }

  return {
    cookies,
    get: (path: string, more?: Record<string, string>) => send('get', path, undefined, more),
    post: (path: string, body?: object) => send('post', path, body),
    put: (path: string, body?: object) => send('put', path, body),
    delete: (path: string) => send('delete', path),
    /** Attaches a file to the owner's unfinished answer to a lead. */
    attach: (reference: string, file: { id?: string; name?: string; type?: string; bytes?: Buffer } = {}) => {
      const {
        id = randomUUID(),
        name = 'plan.pdf',
        type = 'application/pdf',
        bytes = Buffer.from('%PDF'),
      } = file
      return request(app)
        .put(`${apiPath}/leads/${reference}/${fileOfDraft(id)}`)
        .set({ ...given, Cookie: cookie(), 'Content-Type': 'application/octet-stream' })
        .set({ [fileHeaders.name]: encodeURIComponent(name), [fileHeaders.type]: type })
        .send(bytes)
    },
  }
}

/** The contents of all sign-in emails in the outbox, sent or not, oldest first. */
export async function signInEmails({ db }: Pick<Site, 'db'>) {
  const emails = await db
    .selectFrom('outbox')
    .select(['recipient', 'content'])
    .where('kind', '=', 'sign_in')
    .orderBy('id')
    .execute()
  return emails.map(({ recipient, content }) => ({ recipient, ...JSON.parse(content ?? '{}') }))
}

/** The newest sign-in code in those emails; empty if there is none. */
export const newestCode = async (site: Pick<Site, 'db'>): Promise<string> =>
  (await signInEmails(site)).findLast(({ what }) => what === 'code')?.code ?? ''

const AT = '2026-03-02T08:00:00.000Z'
const OWNER = 'owner@agency.example'

/** A row of the table of sessions. */
export const sampleSession = (changes: Partial<Insertable<Schema['sessions']>> = {}) => ({
  id: 's',
  owner: OWNER,
  browser: 'b',
  signed_in_at: AT,
  seen_at: AT,
  ...changes,
})
/** A row of the table of passkeys. */
export const samplePasskey = () => ({
  id: 'p',
  owner: OWNER,
  user_id: 'u',
  public_key: 'k',
  counter: 7,
  name: 'phone',
  host: 'agency.example',
  created_at: AT,
  used_at: null,
})

/**
 * Signs an owner in with a link like those of `leads sign-in`, which is faster than using a code.
 */
export async function signIn(site: Site, browser = openBrowser(site.app), owner = OWNER) {
  const { url } = await createSignInLink(site.db, owner, '', site.clock.now)
  const response = await browser.post('/sign-in/link', { token: url.split('#link=')[1] })
  if (response.status !== 200) throw new Error(`Not signed in: ${response.text}`)
  return browser
}
