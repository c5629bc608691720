import { randomUUID } from 'node:crypto'
import request from 'supertest'
import { beforeEach, expect, test } from 'vitest'
import { apiPath } from '#shared/inbox/api.ts'
import { inboxRoutes } from '../app/app.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openBrowser, signIn } from '../proof/testing/owner-browser.ts'

const open = ['', '/code', '/link', '/passkey', '/passkey/options'].map((path) => `post /sign-in${path}`)
type Method = 'get' | 'post' | 'put' | 'delete'
type Layer = {
  rawPath?: string
  route?: { path: string; methods: Record<Method, boolean> }
  handle: { stack?: Layer[] }
}

/** Every route of a router and its nested routers, such as "get /leads/:reference". */
function routesOf(stack: Layer[], base = ''): string[] {
  return stack.flatMap(({ rawPath = '/', route, handle }) => {
    if (route) return Object.keys(route.methods).map((method) => `${method} ${base}${route.path}`)
    return handle.stack ? routesOf(handle.stack, rawPath === '/' ? base : base + rawPath) : []
  })
}

const site = useTestApp()
let routes: { method: Method; path: string; isOpen: boolean }[]
beforeEach(async () => {
  const { stack } = inboxRoutes(site.inbox, 'https://agency.example') as unknown as { stack: Layer[] }
  routes = routesOf(stack).map((route) => {
    const [method, path = ''] = route.split(' ')
    const isOpen = open.includes(`${method} ${path}`)
    return { method: method as Method, path: path.replace(/:\w+/g, 'Q-7K3M-9QXD'), isOpen }
  })
})

test('without a session, every route except those for signing in responds with 401, and to another website with 403', async () => {
  const stranger = openBrowser(site.app)
  const foreign = openBrowser(site.app, { 'Sec-Fetch-Site': 'cross-site' })
  for (const { method, path } of routes.filter((route) => route.method !== 'get'))
    expect(`${method} ${path} ${(await foreign[method](path)).status}`).toBe(`${method} ${path} 403`)
  for (const { method, path } of routes.filter(({ isOpen }) => !isOpen)) {
    const { status, body, headers } = await stranger[method](path)
    expect(`${method} ${path} ${status} ${body.detail}`).toBe(`${method} ${path} 401 Please sign in.`)
    expect([headers['content-type'], headers['cache-control']]).toEqual([
      'application/problem+json; charset=utf-8',
      'no-store',
    ])
  }
})

test.each([
  ...['delete /access/sessions/x', 'post /access/passkeys/options', 'post /access/passkeys'],
  ...['delete /access/passkeys/x', 'put /push', 'get /leads/Q-7K3M-9QXD/person', 'get /export'],
  'post /leads/Q-7K3M-9QXD/erase',
])(
  'ten minutes after the sign-in, or before it if the clock was set back, %s needs another one',
  async (route) => {
    const browser = await signIn(site)
    const signedInAt = site.clock.now.getTime()
    const [method, path = ''] = route.split(' ')

    for (const away of [10 * 60_000 + 1, -10 * 60_000 - 1]) {
      site.clock.now = new Date(signedInAt + away)
      const { status, body } = await browser[method as Method](path)
      expect([status, body.detail]).toEqual([403, 'To be sure that it is you, please sign in again first.'])
    }
  },
)

test('without a session, a body of more than 16 KiB is not read', async () => {
  const stranger = openBrowser(site.app)
  const long = { text: 'x'.repeat(20_000) }

  for (const { method, path, isOpen } of routes.filter(({ method }) => method === 'post' || method === 'put'))
    expect([path, (await stranger[method as 'post'](path, long)).status]).toEqual([path, isOpen ? 413 : 401])
})

test('an owner can send a body of 80 kB, but not of 140 kB', async () => {
  const browser = await signIn(site)

  const text = '"'.repeat(20_000)
  const long = { text, key: randomUUID(), base: text, version: 0 }
  expect((await browser.post('/leads/Q-7K3M-9QXD/answers', long)).status).toBe(404)
  expect((await browser.post('/leads/Q-7K3M-9QXD/answers', { text: 'x'.repeat(140_000) })).status).toBe(413)
})

test('an unknown path gets 401 without a session and 404 with one, and browsers store no answer', async () => {
  const browser = openBrowser(site.app)
  expect((await browser.get('/unknown')).status).toBe(401)
  await signIn(site, browser)

  expect((await browser.get('/session')).headers['cache-control']).toBe('no-store')
  for (const path of ['/unknown', '/session/', '/Session'])
    expect([path, (await browser.get(path)).status]).toEqual([path, 404])
})

test.each([
  { 'Sec-Fetch-Site': 'same-site' },
  { 'Sec-Fetch-Site': 'none' },
  { 'Sec-Fetch-Site': '', Origin: 'https://agency.example' },
  { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://agency.example' },
  { 'Sec-Fetch-Site': undefined },
  { 'Sec-Fetch-Site': undefined, Origin: 'null' },
  { 'Sec-Fetch-Site': undefined, Origin: 'https://evil.example' },
  { 'Sec-Fetch-Site': undefined, Origin: 'https://agency.example.evil.example' },
])('a change from another website gets 403, even with a session: %j', async (headers) => {
  const { cookies } = await signIn(site)
  const foreign = openBrowser(site.app, headers)
  for (const [name, value] of cookies) foreign.cookies.set(name, value)

  expect((await foreign.put('/replies')).status).toBe(403)
})

test('a change that is not JSON gets 415, because other websites can send one without asking the browser', async () => {
  const form = request(site.app).put(`${apiPath}/replies`).set('Sec-Fetch-Site', 'same-origin').type('form')

  expect((await form.send('a=1')).status).toBe(415)
})

test('without Sec-Fetch-Site, a request is accepted if its Origin is ours', async () => {
  const old = openBrowser(site.app, { 'Sec-Fetch-Site': undefined, Origin: 'https://agency.example' })

  await signIn(site, old)

  expect((await old.delete('/session')).status).toBe(204)
})
