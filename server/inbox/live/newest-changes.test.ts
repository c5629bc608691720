import { test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { atOffice, erase } from '../../proof/testing/leads.ts'
import { openLive } from '../../proof/testing/open-live.ts'
import { samplePasskey, sampleSession, signIn } from '../../proof/testing/owner-browser.ts'

const site = useTestApp()

test('a new lead is reported, even if leads with higher ids were committed before it', async () => {
  await site.submit({ message: 'An old request' })
  await using live = await openLive(site)
  const stream = await live.open(await signIn(site))
  const lead = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()

  const late = { ...lead, id: '00000000-0000-7000-8000-000000000000', reference: 'Q-LATE-LATE' }
  await site.db.insertInto('leads').values(late).execute()

  await stream.next('change')
})

test('sign-ins, sign-outs, and passkeys that are added, used or removed are reported', async () => {
  await using live = await openLive(site)
  const stream = await live.open(await signIn(site))
  const changes = [
    site.db.insertInto('sessions').values(sampleSession()),
    site.db.deleteFrom('sessions').where('id', '=', 's'),
    site.db.insertInto('passkeys').values(samplePasskey()),
    site.db.updateTable('passkeys').where('id', '=', 'p').set({ used_at: '2026-03-02T15:00:00.000Z' }),
    site.db.deleteFrom('passkeys').where('id', '=', 'p'),
  ]

  for (const change of changes) {
    await change.execute()
    await stream.next('change')
  }
})

test('erasing a lead is reported, even if the lead is old', async () => {
  // Changes are found by comparing the 50 newest leads. There are 51 newer leads, so the erased lead is not one of the 50.
  const address = 'gone@example.com'
  await site.submit({ email: address })
  for (let count = 0; count < 51; count++) await site.submit({ message: `Request ${count}` })
  await using live = await openLive(site)
  const stream = await live.open(await signIn(site))

  await erase(site, address)

  await stream.next('change')
})

test('a new day at the office is reported, because leads return to the open list on their follow-up day', async () => {
  site.clock.now = atOffice('2026-03-02T23:59:59')
  await using live = await openLive(site)
  const stream = await live.open(await signIn(site))

  site.clock.now = atOffice('2026-03-03T00:00')

  await stream.next('change')
})
