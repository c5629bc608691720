import { expect, test, vi } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { leadTools } from '../../proof/testing/leads.ts'
import { deliverToFiles } from '../../proof/testing/outbox.ts'
import { signIn } from '../../proof/testing/owner-browser.ts'

// Slow, because each erasure starts a child process.
vi.setConfig({ testTimeout: 60_000 })
const site = useTestApp()
const { submit } = leadTools(site)
const key = '019c0000-0000-7000-8000-0000000000aa'

test("erasing a person's data requires the typed address and a recent sign-in, and deletes answers, drafts and history", async () => {
  // The child process uses the same database.
  for (const [name, value] of Object.entries(site.env)) vi.stubEnv(name, value)
  const reference = await submit()
  const browser = await signIn(site)
  await deliverToFiles(site)
  await browser.post(`/leads/${reference}/notes`, { text: 'A secret', key })
  await browser.put(`/leads/${reference}/draft`, { text: 'A draft', version: 0, base: null })
  await browser.post(`/leads/${reference}/answers`, { text: 'Yes', key, base: null, version: 0 })
  const erase = (email: string) => browser.post(`/leads/${reference}/erase`, { email })

  const wrong = await erase('adam@example.com')
  site.advanceClock(11 * 60_000)
  const stale = await erase('ada@example.com')
  await signIn(site, browser)
  const { status, body } = await erase(' ADA@example.com ')

  expect([wrong.status, stale.status]).toEqual([400, 403])
  expect(wrong.body.detail).toBe("This is not the person's address. Type it as it is shown.")
  expect([status, body.references, body.notErased]).toEqual([200, [reference], []])
  for (const table of ['leads', 'lead_events', 'lead_drafts'] as const)
    expect(await site.db.selectFrom(table).selectAll().execute(), table).toEqual([])
  const ofLeads = site.db.selectFrom('outbox').selectAll().where('lead_id', 'is not', null)
  expect(await ofLeads.execute()).toEqual([])
  expect((await erase('ada@example.com')).status).toBe(404)
  vi.unstubAllEnvs()
})
