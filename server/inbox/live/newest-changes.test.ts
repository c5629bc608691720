import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { createGroupCommit } from '../../database/group-commit.ts'
import { connect } from '../../database/postgres.ts'
import { createSubmitLead } from '../../leads/submit-lead.ts'
import { isOnPostgres, unknownSender, useTestApp } from '../../proof/testing/build-test-app.ts'
import { atOffice } from '../../proof/testing/leads.ts'
import { openLive } from '../../proof/testing/open-live.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'

const site = useTestApp()

const submit = (message: string) => site.submitLead(sampleRequest({ message }), unknownSender)

// Retried, because other tests may slow the machine down.
test('a new lead is reported within a second, and nothing is reported before that', {
  retry: 2,
}, async () => {
  await submit('An old request')
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  await sleep(1100)
  expect(stream.events).toEqual(['ping'])

  await submit('A new request')

  expect(await stream.next('change')).toBeLessThan(1000)
})

test.runIf(isOnPostgres)('a lead stored by another replica is reported', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const replica = connect(String(site.env.DATABASE_URL), 'visitor')
  const submitThere = createSubmitLead({
    ...site.context,
    write: createGroupCommit(replica),
    judgeMessage: site.judgeMessage,
    replyDueAt: () => site.clock.now,
    budget: site.inboxDeps.budget,
    onStored: () => {},
  })

  await submitThere(sampleRequest(), unknownSender)

  await stream.next('change')
  await replica.destroy()
})

test('a lead is reported even if leads with higher ids were committed before it', async () => {
  await submit('A request')
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const lead = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()

  const late = { ...lead, id: '00000000-0000-7000-8000-000000000000', reference: 'Q-LATE-LATE' }
  await site.db.insertInto('leads').values(late).execute()

  await stream.next('change')
})

test('sign-ins, sign-outs, and passkeys that are added, used or removed are reported', async () => {
  await using live = await openLive(site.db)
  const stream = await live.open('a')
  const at = '2026-03-02T15:00:00.000Z'
  const session = { id: 'c', owner: 'anna', browser: 'b', signed_in_at: at, seen_at: at }
  const passkey = {
    id: 'p',
    owner: 'anna',
    user_id: 'u',
    public_key: '',
    counter: 0,
    name: 'n',
    host: 'h',
    created_at: at,
  }
  const passkeys = site.db.updateTable('passkeys').where('id', '=', 'p')
  const changes = [
    site.db.insertInto('sessions').values(session),
    site.db.deleteFrom('sessions').where('id', '=', 'c'),
    site.db.insertInto('passkeys').values(passkey),
    passkeys.set({ used_at: at }),
    site.db.deleteFrom('passkeys').where('id', '=', 'p'),
  ]

  for (const change of changes) {
    await change.execute()
    await stream.next('change')
  }
})

test('erasing a lead from the command line is reported, even if the lead is old', async () => {
  await site.submitLead(sampleRequest({ email: 'gone@example.com' }), unknownSender)
  // Changes are found by comparing the 50 newest leads. There are 51 newer leads, so the erased lead is not one of the 50.
  for (let count = 0; count < 51; count++) await submit(`Request ${count}`)
  await using live = await openLive(site.db)
  const stream = await live.open('a')

  const args = ['server/cli/leads.ts', 'erase', 'gone@example.com', '--yes']
  await promisify(execFile)(process.execPath, args, { env: site.env })

  await stream.next('change')
}, 30_000)

test('a new day at the office is reported, because leads return to the open list on their follow-up day', async () => {
  const clock = { now: atOffice('2026-03-02T23:59:59') }
  await using live = await openLive(site.db, { now: () => clock.now })
  const stream = await live.open('a')

  clock.now = atOffice('2026-03-03T00:00')

  await stream.next('change')
})
