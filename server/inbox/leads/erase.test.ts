import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Problem } from '../../problem.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { deliverToFiles } from '../../proof/testing/file-delivery.ts'
import { bob, leadTools, routesFor } from '../../proof/testing/lead-tools.ts'
import { isOnPostgres, testOnce } from '../../proof/testing/open-test-database.ts'
import { erase } from './erase.ts'

// These tests are slow, because each erasure starts a child process.
vi.setConfig({ testTimeout: 60_000 })
const site = useTestApp()
let routes: ReturnType<typeof routesFor>
beforeEach(() => {
  routes = routesFor(site)
  // The child process uses the same database.
  for (const [name, value] of Object.entries(site.env)) vi.stubEnv(name, value)
})
afterEach(() => void vi.unstubAllEnvs())

const { submit } = leadTools(site)
const key = '019c0000-0000-7000-8000-0000000000aa'

test("erasing a person's data requires the typed address and a recent sign-in, and deletes answers, drafts and history", async () => {
  const reference = await submit()
  await deliverToFiles(site)
  await routes.post(`/leads/${reference}/notes`, { text: 'A secret' })
  await routes.put(`/leads/${reference}/draft`, { text: 'A draft', version: 0 })
  await routes.post(`/leads/${reference}/answers`, { text: 'Yes', key, base: null, version: 0 })
  const erase = (email: string, as = routes) => as.post(`/leads/${reference}/erase`, { email })

  expect(await erase('adam@example.com')).toMatchObject({
    status: 400,
    body: { detail: "This is not the person's address. Type it as it is shown." },
  })
  const stale = routesFor(site, bob, () => {
    throw new Problem('sign_in_again', 'Sign in again.')
  })
  expect((await erase('ada@example.com', stale)).status).toBe(403)

  const { status, body } = await erase(' ADA@example.com ')
  expect([status, body.references, body.notErased]).toEqual([200, [reference], []])
  for (const table of ['leads', 'lead_events', 'lead_drafts', 'outbox'] as const)
    expect(await site.db.selectFrom(table).selectAll().execute(), table).toEqual([])
  expect((await erase('ada@example.com')).status).toBe(404)
})

const runningPrograms = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return /^\d+$/.test(pid) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ') : []
    } catch {
      return [] // The process has ended.
    }
  })

test.skipIf(isOnPostgres || process.platform !== 'linux')(
  'no process of an erasure has the address in its arguments',
  async () => {
    // Joined here, so that no shell that names this test's text has the address in its own arguments.
    const email = ['in-no-argument', 'example.com'].join('@')
    const reference = await submit({ email })
    const seen = new Set<string>()

    const erased = erase(site.inboxDeps, reference, email).finally(() => seen.add('done'))
    for (; !seen.has('done'); await sleep(5)) for (const line of runningPrograms()) seen.add(line)

    expect(await erased).toMatchObject({ email, notErased: [] })
    expect([...seen].filter((line) => / erase --yes/.test(line)).length).toBeGreaterThan(0)
    expect([...seen].filter((line) => line.includes(email))).toEqual([])
  },
)

testOnce('if the database cannot be opened, erasing throws storage_unavailable', async () => {
  const reference = await submit()
  vi.stubEnv('DATA_DIR', '/nowhere/at/all')

  await expect(erase(site.inboxDeps, reference, 'ada@example.com')).rejects.toMatchObject({
    code: 'storage_unavailable',
  })
})
