import { afterAll, beforeAll, expect, test } from 'vitest'
import { figures, summary } from '#shared/inbox/api.ts'
import { lead, leadPage, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { StorageUnavailable } from '../../database/storage-error.ts'
import { Problem } from '../../problem.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { openReads } from '../../proof/testing/open-reads.ts'
import { storeLead } from '../../proof/testing/store-lead.ts'

const reference = 'Q-7K3M-9QXD'

let site: Awaited<ReturnType<typeof buildTestApp>>
let inbox: Awaited<ReturnType<typeof openReads>>
beforeAll(async () => {
  site = await buildTestApp()
  inbox = await openReads(site)
  await storeLead(site.db, { reference })
})
afterAll(async () => {
  await inbox[Symbol.asyncDispose]()
  await site[Symbol.asyncDispose]()
})

test('every response matches its schema in shared/inbox', async () => {
  for (const [path, schema] of [
    ['/leads', leadPage],
    ['/leads?view=all', leadPage],
    [`/leads/${reference}`, lead],
    ['/summary', summary],
    ['/figures', figures],
  ] as const) {
    const { status, body } = await inbox.get(path)
    expect([path, status, schema.parse(body)]).toEqual([path, 200, body])
  }
})

test('a search is a POST request, so that no URL contains the search text', async () => {
  const { status, body } = await inbox.search({ search: 'lovelace' })

  expect([status, leadPage.parse(body)]).toEqual([200, body])
  expect(body.leads).toMatchObject([{ reference }])
})

test.each([
  '/leads?view=everything',
  '/leads?view=',
  '/leads?view=open&view=won',
  '/leads?after=',
  '/leads?after=x',
  `/leads?after=${btoa('a b c')}`,
  `/leads?after=${btoa('\u0000 x')}`,
  `/leads?after=${'A'.repeat(5000)}`,
  '/leads?after=a&after=b',
  '/export',
  '/export?format=csv',
  '/export?format=xlsx&format=json',
])('a request for %s is rejected with 400 and a readable message', async (path) => {
  const { status, headers, body } = await inbox.get(path)

  expect([status, headers.get('content-type')]).toEqual([400, 'application/problem+json; charset=utf-8'])
  expect(body.detail).toMatch(/^[A-Z].{5,100}\.$/s)
})

test.each(['/leads?unknown=1', '/leads?search[a]=b', `/leads?after=${btoa(' zz')}`])(
  'a request for %s gets a list',
  async (path) => {
    const { status, body } = await inbox.get(path)

    expect([status, leadPage.parse(body)]).toEqual([200, body])
  },
)

test.each([
  undefined,
  [[]],
  {},
  { search: ['a', 'b'] },
  { search: 'a'.repeat(201) },
  { search: 'ada', after: 1 },
  { search: 'ada', after: 'x' },
  { search: 'ada', after: btoa(' a b') },
])('a search for %j is rejected with 400 and a readable message', async (input) => {
  const { status, body } = await inbox.search(input)

  expect([status, body.detail]).toEqual([400, expect.stringMatching(/^[A-Z].{5,100}\.$/s)])
})

test.each(['', ' ', '-', '+', '(', '\u{1f642}', '\0'])(
  'a search for %j, which contains no letter or digit, finds nothing',
  async (search) => {
    const { status, body } = await inbox.search({ search })

    expect([status, leadPage.parse(body)]).toEqual([200, { leads: [], next: null }])
  },
)

test.each([
  { search: "' or 1=1 --" },
  { search: '"*" NEAR words:' },
  { search: '\u0e2a\u0e27\u0e31\u0e2a' },
  { search: 'a\u0308\u0308\u0308\u0308' },
  { search: `ab ${'12345 '.repeat(30)}` },
  { search: 'ada', after: btoa(' 0') },
])('a search for %j gets a list', async (input) => {
  const { status, body } = await inbox.search(input)

  expect([status, leadPage.parse(body)]).toEqual([200, body])
})

test.each(['Q-0000-0000', 'x', '%00', '..%2f', "' or 1=1", 'a'.repeat(5000)])(
  'a request for the unknown reference %s gets a 404',
  async (unknown) => {
    const { status, body } = await inbox.get(`/leads/${unknown}`)

    expect([status, body.detail]).toEqual([404, expect.stringContaining('no lead with this reference')])
  },
)

test('a lead is found by its reference in lowercase and without dashes', async () => {
  expect((await inbox.get('/leads/q7k3m9qxd')).body.reference).toBe(reference)
})

test.each(['Q-IOAB-2CDE', 'q-loab-2cde', '1oab2cde'])(
  'the reference %s, typed with look-alike characters, finds its lead',
  async (typed) => {
    const known = 'Q-10AB-2CDE'
    await storeLead(site.db, { reference: known, state: 'lost' })

    expect((await inbox.get(`/leads/${typed}`)).body.reference).toBe(known)
    expect((await inbox.search({ search: typed })).body.leads).toMatchObject([{ reference: known }])
    await site.db.deleteFrom('leads').where('reference', '=', known).execute()
  },
)

test('the cursor of a page leads to the next page', async () => {
  for (let count = 0; count <= PAGE_SIZE; count++) await storeLead(site.db, { state: 'won' })

  const first = await inbox.get('/leads?view=won')
  const second = await inbox.get(`/leads?view=won&after=${first.body.next}`)

  expect([first.body.leads.length, second.body.leads.length, second.body.next]).toEqual([PAGE_SIZE, 1, null])
})

test('without SMTP_URL, the summary says that emails are written to files', async () => {
  await using withServer = await openReads(site, { hasMailServer: true })

  expect((await inbox.get('/summary')).body.mail.state).toBe('files')
  expect((await withServer.get('/summary')).body.mail.state).toBe('ok')
})

test('an export requires a recent sign-in', async () => {
  const requireFresh = () => {
    throw new Problem('sign_in_again', 'Please sign in again.')
  }
  await using stale = await openReads(site, { requireFresh })

  expect((await stale.get('/export?format=xlsx')).status).toBe(403)
})

test('of three hundred simultaneous requests, none goes unanswered', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 300 }, async () => (await inbox.get(`/leads/${reference}`)).status),
  )

  expect(new Set(statuses)).toEqual(new Set([200]))
})

test('if the database cannot be read, the owner is asked to try again', async () => {
  const down = site.db.withPlugin({
    transformQuery() {
      throw new StorageUnavailable(new Error('down'))
    },
    transformResult: async ({ result }) => result,
  })
  await using broken = await openReads({ ...site, db: down })

  const { status, headers, body } = await broken.get('/leads')

  expect([status, headers.get('retry-after'), body.detail]).toEqual([
    503,
    '5',
    'We could not reach our database just now. Please try again in a moment.',
  ])
})
