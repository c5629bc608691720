import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createOutboxWorker } from '../outbox/outbox-worker.ts'
import { buildTestApp } from '../testing/build-test-app.ts'
import { sampleRequest } from '../testing/sample-request.ts'
import { createMailAlert } from './mail-alert.ts'
import { type Alert, postAlert } from './post-alert.ts'

const MINUTE_MS = 60_000
const siteUrl = 'https://plumbline.example'

test('mail that waits, is given up and flows again is told, each once, and without personal data', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook()
  const check = createMailAlert({ db: site.db, siteUrl, now: () => site.clock.now, onQueued: () => {} })
  const pass = (minutes: number) => {
    site.clock.now = new Date(site.clock.now.getTime() + minutes * MINUTE_MS)
  }
  const told = async () => {
    await check()
    await deliverAlerts(site, hook.url)
    return hook.alerts.map(({ event }) => event)
  }
  await site.submitLead(sampleRequest({}), { client: 'c', idempotencyKey: null })

  pass(14)
  expect(await told()).toEqual([])
  pass(2)
  expect(await told()).toEqual(['mail_waiting'])
  expect(await told()).toEqual(['mail_waiting'])
  const reply = { smtpCode: null, response: '' }
  const attempt = () => site.outbox.claimNext(site.clock.now)
  const refused = await attempt()
  if (refused) await site.outbox.recordFailed(refused, site.clock.now, reply)
  expect(await told()).toEqual(['mail_waiting', 'mail_given_up'])
  await site.submitLead(sampleRequest({ message: '2' }), { client: 'c', idempotencyKey: null })
  expect(await told()).toEqual(['mail_waiting', 'mail_given_up'])
  const taken = await attempt()
  if (taken) await site.outbox.recordSent(taken, site.clock.now, reply)
  expect(await told()).toEqual(['mail_waiting', 'mail_given_up', 'mail_flowing'])
  expect(await told()).toEqual(['mail_waiting', 'mail_given_up', 'mail_flowing'])

  expect(hook.alerts[0]).toMatchObject({ site: siteUrl, waiting: 1, givenUp: 0 })
  expect(hook.alerts[0]?.text).toContain('1 mail to the owner cannot be sent, the oldest for 16 minutes')
  const lead = await site.db.selectFrom('leads').selectAll().executeTakeFirstOrThrow()
  for (const value of [lead.email, lead.first_name, lead.last_name, lead.message, 'owner@plumbline.example'])
    expect(JSON.stringify(hook.alerts)).not.toContain(value)
})

test('an alert goes out while mails hang, and is tried again until it is taken', async () => {
  await using site = await buildTestApp()
  await using hook = await openHook([503, 301])
  for (let index = 0; index < 10; index++)
    await site.submitLead(sampleRequest({ message: `${index}` }), { client: 'c', idempotencyKey: null })
  site.clock.now = new Date(site.clock.now.getTime() + 16 * MINUTE_MS)
  const mailWorker = createOutboxWorker({ ...workerDeps(site), deliver: hangs })
  mailWorker.wake()

  await createMailAlert({ db: site.db, siteUrl, now: () => site.clock.now, onQueued: () => {} })()
  for (let round = 0; round < 3; round++) {
    await deliverAlerts(site, hook.url)
    site.clock.now = new Date(site.clock.now.getTime() + 10 * MINUTE_MS)
  }

  const ids = hook.alerts.map(({ id }) => id)
  expect(ids.length).toBe(3)
  expect(new Set(ids).size).toBe(1)
  expect(await alertStates(site)).toEqual(['sent'])
  await mailWorker.stop()
})

test('a webhook that was down does not hear that mail waits after it has heard that it flows', async () => {
  await using site = await buildTestApp()
  const check = createMailAlert({ db: site.db, siteUrl, now: () => site.clock.now, onQueued: () => {} })
  const open = async () => {
    const alerts = await site.db
      .selectFrom('outbox')
      .select('content')
      .where('kind', '=', 'alert')
      .where('state', '=', 'queued')
      .execute()
    return alerts.map(({ content }) => JSON.parse(content ?? '').event)
  }
  await site.submitLead(sampleRequest({}), { client: 'c', idempotencyKey: null })
  site.clock.now = new Date(site.clock.now.getTime() + 16 * MINUTE_MS)
  await check()
  expect(await open()).toEqual(['mail_waiting'])

  const job = await site.outbox.claimNext(site.clock.now)
  if (job) await site.outbox.recordSent(job, site.clock.now, { smtpCode: 250, response: '' })
  await check()

  expect(await open()).toEqual(['mail_flowing'])
})

test('the webhook has no say in how the mail is judged', async () => {
  await using site = await buildTestApp()
  await site.outbox.enqueue(
    [{ kind: 'alert', recipient: 'ALERT_URL', messageId: '<a>', content: '{}' }],
    new Date(site.clock.now.getTime() - 60 * MINUTE_MS),
  )

  expect(await site.outbox.condition(site.clock.now)).toBe('ok')
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  expect(await site.outbox.condition(site.clock.now)).toBe('ok')
})

type Site = Awaited<ReturnType<typeof buildTestApp>>
const workerDeps = (site: Site) => ({
  outbox: site.outbox,
  log: pino({ level: 'silent' }),
  now: () => site.clock.now,
  random: () => 0.5,
})
const hangs = (_job: unknown, signal: AbortSignal) =>
  new Promise<string>((_done, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
const alertStates = async (site: Site) =>
  (await site.db.selectFrom('outbox').select('state').where('kind', '=', 'alert').execute()).map(
    ({ state }) => state,
  )

/** One attempt at whatever alert is due. */
async function deliverAlerts(site: Site, url: string) {
  const worker = createOutboxWorker({
    ...workerDeps(site),
    channel: 'alert',
    deliver: (job, signal) => postAlert(url, JSON.parse(job.content ?? ''), signal),
  })
  worker.wake()
  const due = () =>
    site.db
      .selectFrom('outbox')
      .select('id')
      .where('kind', '=', 'alert')
      .where('state', 'in', ['queued', 'sending'])
      .where((row) =>
        row.or([row('due_at', '<=', site.clock.now.toISOString()), row('state', '=', 'sending')]),
      )
      .execute()
  await expect.poll(due).toEqual([])
  await worker.stop()
}

/** A real receiver that first answers with the given statuses, then with 200. */
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
