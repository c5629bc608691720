import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { saveDraft } from '../../leads/answers/drafts.ts'
import { listLeads } from '../../leads/lists/lists.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/leads.ts'
import { openLive } from '../../proof/testing/open-live.ts'
import { speedUp } from '../../proof/testing/outbox.ts'
import { signIn } from '../../proof/testing/owner-browser.ts'
import { POLL_EVERY_MS } from './live-routes.ts'

const site = useTestApp()

/** Saves drafts of Anna, one half-second after the other. */
async function write(reference: string, ...texts: string[]) {
  for (const text of texts) {
    const base = text.slice(0, -1) || null
    await saveDraft(site.inboxDeps, { reference, who: anna, version: 0, text, base })
    site.advanceClock(500)
  }
}

/** What an owner's list says about drafts. */
async function drafts(owner: string) {
  const { leads } = await listLeads(site.db, { view: 'open', after: undefined, now: site.clock.now, owner })
  return leads.map(({ hasDraft, writer }) => [hasDraft, writer])
}

test('a draft is marked for its author; others see who is writing, until two minutes after the last letter', async () => {
  const reference = await leadTools(site).submit()
  expect(await drafts(bob)).toEqual([[false, null]])

  await write(reference, 'H')

  expect(await drafts(anna)).toEqual([[true, null]])
  expect(await drafts(bob)).toEqual([[false, 'Anna']])
  await write(reference, 'He')
  site.advanceClock(119_000)
  expect(await drafts(bob)).toEqual([[false, 'Anna']])
  await saveDraft(site.inboxDeps, {
    reference,
    who: 'info@agency.example',
    version: 0,
    text: 'x',
    base: null,
  })
  expect(await drafts(bob)).toEqual([[false, 'Somebody']])
  site.advanceClock(120_000)
  expect(await drafts(bob)).toEqual([[false, null]])
})

test('open inboxes are told when somebody begins to write, and when she has stopped, but not of each draft', async () => {
  speedUp(POLL_EVERY_MS)
  const reference = await leadTools(site).submit()
  await using live = await openLive(site)
  const stream = await live.open(await signIn(site))

  await write(reference, 'H')
  await stream.next('change')
  await write(reference, 'He', 'Hel', 'Hell')
  await sleep(100)
  expect(stream.events).toEqual([])
  site.advanceClock(120_000)
  await stream.next('change')
})
