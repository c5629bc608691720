import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { writeNote } from '../database/settings.ts'
import { MAIL_PATIENCE_MS } from '../outbox/backlog.ts'
import { requeueFailed } from '../outbox/requeue.ts'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/claim-email.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { createMailAlert, eventsToReport, type LastAlert } from './mail-alert.ts'
import type { Alert } from './post-alert.ts'

const MINUTE_MS = 60_000
const siteUrl = 'https://agency.example'
const neverAborts = new AbortController().signal
const reply = { smtpCode: null, response: '' }

test('reports each change in email delivery once, without personal data', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  const check = createCheck(site, hook)
  await submit(site, 'We need a new site.')

  advanceMinutes(site, 14)
  expect(await check()).toEqual([])
  advanceMinutes(site, 2)
  expect(await check()).toEqual(['mail_waiting'])
  expect(await check()).toEqual(['mail_waiting'])
  const failed = await claimEmail(site)
  await site.outbox.recordFailed(failed, site.clock.now, reply)
  expect(await check()).toEqual(['mail_waiting', 'mail_given_up'])
  await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  expect(await check()).toEqual(['mail_waiting', 'mail_given_up', 'mail_flowing'])
  expect(await check()).toEqual(['mail_waiting', 'mail_given_up', 'mail_flowing'])

  expect(hook.alerts[0]).toMatchObject({ site: siteUrl, waiting: 1, givenUp: 0 })
  expect(hook.alerts[0]?.text).toContain(
    "1 email to the owner can't be sent (1 mailbox); the oldest has waited 16 minutes",
  )
  const lead = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()
  for (const value of [lead.email, lead.first_name, lead.last_name, lead.message, 'owner@agency.example'])
    expect(JSON.stringify(hook.alerts)).not.toContain(value)
})

test('immediately reports an email that the mail server rejects, even though it will be retried', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  const check = createCheck(site, hook)
  await submit(site, '1')
  const job = await claimEmail(site)

  await site.outbox.recordRetry(job, site.clock.now, { smtpCode: 554, response: '554 not verified' }, 1000)

  expect(await check()).toEqual(['mail_waiting'])
})

test.each(['before the next attempt', 'after a failed attempt'])(
  'after a resend, reports recovery only when the mail server accepts the email, not %s',
  async (when) => {
    await using site = await buildTestApp()
    await using hook = await openHook()
    const check = createCheck(site, hook)
    await submit(site, '1')
    await site.outbox.recordFailed(await claimEmail(site), site.clock.now, reply)
    expect(await check()).toEqual(['mail_given_up'])

    await requeueFailed(site.db, undefined, site.clock.now)
    if (when === 'after a failed attempt')
      await site.outbox.recordRetry(await claimEmail(site), site.clock.now, reply, MINUTE_MS)
    advanceMinutes(site, 1)
    for (let minute = 0; minute < 2; minute++) expect(await check()).toEqual(['mail_given_up'])

    await site.outbox.recordSent(await claimEmail(site), site.clock.now, {
      smtpCode: 250,
      response: '250 ok',
    })
    expect(await check()).toEqual(['mail_given_up', 'mail_flowing'])
  },
)

test('reports recovery when a failed email is erased with its lead', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  const check = createCheck(site, hook)
  await submit(site, '1')
  await site.outbox.recordFailed(await claimEmail(site), site.clock.now, reply)
  await check()

  await site.db.deleteFrom('leads').execute()

  expect(await check()).toEqual(['mail_given_up', 'mail_flowing'])
})

test('reports leads that LEAD_WEBHOOK_URL does not accept, and later that it accepts them again', async () => {
  await using site = await buildTestApp({ webhookHost: 'crm.example' })
  await using hook = await openHook()
  const check = createCheck(site, hook)
  await submit(site, '1')
  await site.db.updateTable('outbox').set({ state: 'sent' }).where('kind', '<>', 'webhook').execute()
  advanceMinutes(site, 16)
  expect(await check()).toEqual(['mail_waiting'])
  expect(hook.alerts[0]?.text).toContain(": 1 request can't be posted to LEAD_WEBHOOK_URL; the oldest has")

  await site.db.updateTable('outbox').set({ state: 'failed' }).where('kind', '=', 'webhook').execute()
  expect(await check()).toEqual(['mail_waiting', 'mail_given_up'])
  expect(hook.alerts[1]?.text).toContain('gave up on 1 post to LEAD_WEBHOOK_URL.')
  // This command would list nothing: no email has failed, only a post.
  expect(hook.alerts[1]?.text).not.toContain('leads list --mail failed')
  await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  expect(await check()).toEqual(['mail_waiting', 'mail_given_up', 'mail_flowing'])
})

test('an alert about one mailbox does not suppress the alert about a later outage', async () => {
  await using site = await buildTestApp({ mailTo: ['a@agency.example', 'b@agency.example'] })
  await using hook = await openHook()
  const check = createCheck(site, hook)
  await submit(site, '1')
  const first = await claimEmail(site)
  await site.outbox.recordSent(first, site.clock.now, { smtpCode: 250, response: '250 ok' })
  advanceMinutes(site, 16)
  expect(await check()).toEqual(['mail_waiting'])

  await submit(site, '2')
  advanceMinutes(site, 16)

  expect(await check()).toEqual(['mail_waiting', 'mail_waiting'])
  expect(hook.alerts[1]?.text).toContain("3 emails to the owner can't be sent (2 mailboxes)")
})

test('if an alert cannot be posted, retries it with the same id', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook([503, 301])
  const check = createCheck(site, hook)
  await submit(site, '1')
  advanceMinutes(site, 16)

  await expect(check()).rejects.toThrow('ALERT_URL responded with 503')
  advanceMinutes(site, 1)
  await expect(check()).rejects.toThrow()
  advanceMinutes(site, 1)
  await check()
  await check()

  expect(hook.alerts).toHaveLength(3)
  expect(new Set(hook.alerts.map(({ id }) => id)).size).toBe(1)
})

const NOW = new Date('2026-03-03T12:00:00.000Z')
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * 60 * MINUTE_MS).toISOString()

type Now = Parameters<typeof eventsToReport>[1]

test.each<[string, Partial<LastAlert>, Partial<Now>, string[]]>([
  ['email works', {}, {}, []],
  ['a problem starts', {}, { waiting: 1 }, ['mail_waiting']],
  ['the backlog grows a little', { waiting: 3, at: hoursAgo(1) }, { waiting: 5 }, []],
  ['the backlog doubles', { waiting: 3, at: hoursAgo(1) }, { waiting: 6 }, ['mail_waiting']],
  [
    'another mailbox is affected',
    { waiting: 3, at: hoursAgo(1) },
    { waiting: 4, mailboxes: 2 },
    ['mail_waiting'],
  ],
  ['the problem lasts a day', { waiting: 3, at: hoursAgo(24) }, { waiting: 3 }, ['mail_waiting']],
  [
    'the server gave up on emails and none is waiting',
    { waiting: 3, at: hoursAgo(1) },
    { givenUp: 3 },
    ['mail_given_up'],
  ],
  ['failures were reported a day ago', { givenUp: 3, at: hoursAgo(24) }, { givenUp: 3 }, ['mail_given_up']],
  ['failures were reported an hour ago', { givenUp: 3, at: hoursAgo(1) }, { givenUp: 3 }, []],
  ['the last alert has a future date', { waiting: 3, at: hoursAgo(-24) }, { waiting: 3 }, ['mail_waiting']],
  ['all emails were sent', { givenUp: 3, at: hoursAgo(1) }, {}, ['mail_flowing']],
  ['failed emails are queued again', { givenUp: 3, at: hoursAgo(1) }, { isRetryPending: true }, []],
])('if %s (last alert: %j, now: %j), the events to report are %j', (_when, last, now, expected) => {
  const isOpen = last.at !== undefined
  const before = { waiting: 0, mailboxes: last.waiting ? 1 : 0, givenUp: 0, at: '', isOpen, ...last }
  const mailboxes = now.waiting ? 1 : 0
  const backlog = { waiting: 0, mailboxes, oldestAt: null, givenUp: 0, isRetryPending: false, ...now }

  expect(eventsToReport(before, backlog, NOW)).toEqual(expected)
})

test('reports recovery from a problem that an earlier version reported', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  const at = site.clock.now.toISOString()
  await writeNote(site.db, 'alerts_told', { waiting: 0, mailboxes: 0, givenUp: 2, at })

  expect(await createCheck(site, hook)()).toEqual(['mail_flowing'])
})

test('if the last alert was recorded in the format of the first version, new alerts are still sent', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  await writeNote(site.db, 'alerts_told', { isWaiting: true, givenUp: 0 })
  const check = createCheck(site, hook)
  await submit(site, '1')
  advanceMinutes(site, 16)

  expect(await check()).toEqual(['mail_waiting'])
})

type Site = Awaited<ReturnType<typeof buildTestApp>>
type Hook = Awaited<ReturnType<typeof openHook>>

const submit = (site: Site, message: string) =>
  site.submitLead(sampleRequest({ message }), { client: 'c', idempotencyKey: null })
const advanceMinutes = (site: Site, minutes: number) => site.advanceClock(minutes * MINUTE_MS)

/** Returns a function that checks once and returns all events received so far. */
function createCheck(site: Site, hook: Hook) {
  const alertIfChanged = createMailAlert({
    db: site.db,
    url: hook.url,
    siteUrl,
    now: () => site.clock.now,
    waitingSince: () => new Date(site.clock.now.getTime() - MAIL_PATIENCE_MS),
  })
  return async () => {
    await alertIfChanged(neverAborts)
    return hook.alerts.map(({ event }) => event)
  }
}

/** A webhook that responds with these statuses, then with 200. */
async function openHook(statuses: number[] = []) {
  const alerts: Alert[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    alerts.push(JSON.parse(body))
    response.writeHead(statuses.shift() ?? 200, { Location: '/elsewhere' }).end('ok')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    alerts,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}
