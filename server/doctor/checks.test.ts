import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdirSync, statfsSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { parseEnv } from '../env.ts'
import { OperatorError } from '../errors/error-facts.ts'
import { backupName } from '../files/backup-list.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { claimEmail } from '../proof/testing/outbox.ts'
import { openReceiver, webhookSecret } from '../proof/testing/receiver.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { checkArrivals } from './arrivals.ts'
import { checkBackups } from './backups.ts'
import { commandsFor, type Found, runCheck } from './check.ts'
import { checkDisk, giveTo, rateSpace } from './disk.ts'
import { checkVisitors } from './proxy.ts'
import { checkQueue } from './queue.ts'
import { checkRunningServer } from './running-server.ts'
import { checkSettings } from './settings.ts'
import { sendTestEvent } from './test-messages.ts'

test('every invalid setting is reported, and no value is shown', () => {
  const { env, found } = checkSettings({
    CONTACT_LIMIT: 'hunter2',
    LOG_LEVEL: 'loud',
    PATH: '/bin',
    SMTP_HOST: '',
  })

  expect(env).toBeUndefined()
  expect(found).toMatchObject([
    { state: 'problem', seen: 'CONTACT_LIMIT has an invalid value. Expected a whole number.' },
    { state: 'problem', seen: expect.stringMatching(/^LOG_LEVEL has an invalid value/) },
  ])
})

test.each([
  ['MAILTO', 'Write MAIL_TO instead.'],
  ['SMPT_URL', 'Write SMTP_URL instead.'],
  ['SITE-URL', 'Write SITE_URL instead.'],
  ['VISITOR_RECEIPTS', 'Write VISITOR_RECEIPT instead.'],
  ['REMINDER', 'Write REMINDERS instead.'],
  ['SMTP_HOST', 'See .env.example for all settings.'],
  ['VISITOR_EMAIL', 'See .env.example for all settings.'],
  ['IMAP_HOST', 'See .env.example for all settings.'],
  ['OAUTH_TENANT', 'See .env.example for all settings.'],
  ['\uFEFFMAIL_TO', expect.stringContaining('instead of "UTF-8 with BOM"')],
])('the misspelled setting %s is reported: %s', (name, advice) => {
  const seen = expect.stringContaining(name.replace('\uFEFF', ''))
  expect(checkSettings({ [name]: 'x' }).found).toEqual([{ state: 'warning', seen, advice }])
})

const inContainer = '700 600 0:90 / / ro,relatime - overlay overlay ro'
const volume = (root: string, path: string) =>
  `${inContainer}\n701 700 254:0 ${root} ${path} rw,relatime - ext4 /dev/vda rw`

test('a container needs a named volume, and the advice about its owner is a command for the host', () => {
  using folder = newDataDir()
  const env = { DATA_DIR: folder.path, BACKUP_DIR: join(folder.path, 'backups') } as never
  const states = [
    volume('/docker/volumes/plumbline_data/_data', folder.path),
    inContainer,
    volume('/', folder.path).replace('ext4', 'nfs4'),
  ].map((mountInfo) => checkDisk(env, mountInfo)[0])

  expect(states).toMatchObject([
    { state: 'ok' },
    { state: 'problem', seen: expect.stringContaining('(container)') },
    { state: 'warning', seen: expect.stringContaining('(nfs4)') },
  ])
  expect(giveTo(1000, '/data', volume('/docker/volumes/plumbline_data/_data', '/data'))).toBe(
    'docker run --rm -v plumbline_data:/data busybox chown -R 1000 /data',
  )
  expect(giveTo(1000, '/data', volume('/srv/leads', '/data'))).toBe('sudo chown -R 1000 /srv/leads')
})

test.each([
  [inContainer, undefined, 'docker compose exec web leads list'],
  [inContainer, 'postgres://leads:secret@postgres:5432/leads', 'docker compose exec copies leads list'],
  ['', undefined, 'npm run leads -- list'],
])('with the mounts "%s" and the database %s, the advice is to run: %s', (mountInfo, url, command) => {
  expect(commandsFor(mountInfo, url)('leads list')).toBe(command)
})

const site = useTestApp()

/** Stores requests of these clients, with different content. */
async function submit(...clients: string[]) {
  for (const client of clients) await site.submitLead(sampleRequest({ message: randomUUID() }), { client })
}

test('doctor claims that visitors have addresses of their own only if they have', async () => {
  expect(await checkVisitors(site.db)).toMatchObject({ state: 'ok', seen: expect.stringMatching(/^Too few/) })

  await submit(...Array(5).fill('proxy'))
  expect(await checkVisitors(site.db)).toMatchObject({
    state: 'problem',
    seen: 'All 5 requests of the last day seem to come from one address, so visitors share one rate limit.',
    advice: expect.stringContaining('TRUST_PROXY'),
  })

  await submit('a visitor')
  expect(await checkVisitors(site.db)).toMatchObject({
    state: 'ok',
    seen: 'The requests of the last day came from 2 addresses.',
  })
})

test('doctor says how long the last five notices took', async () => {
  await submit('a', 'b', 'c', 'd', 'e', 'f')
  const sent_at = sql<string>`'2026-03-0' || id || 'T15:00:00.000Z'`
  const arrived_at = sql<string>`'2026-03-0' || id || 'T15:00:0' || id || '.000Z'`
  await site.db.updateTable('outbox').set({ sent_at, arrived_at }).execute()

  expect(await checkArrivals(site.context)).toMatchObject({
    seen: 'The last notices (5) took 2 s to 6 s.',
  })
})

test('the webhook gets a signed test that is not a lead', async () => {
  const receiver = await openReceiver()
  onTestFinished(receiver.close)
  const finding = await sendTestEvent({ url: receiver.url, secret: webhookSecret }, new Date())
  // The path of its address can contain a password.
  const { host } = new URL(receiver.url)
  expect(finding).toMatchObject({ state: 'ok', seen: `${host} accepted a signed test (204 No Content).` })
  const body = expect.stringContaining('"type":"webhook.test"')
  expect(receiver.requests).toMatchObject([{ isSigned: true, reference: undefined, body }])
})

test('before the first start, doctor says that no server is running, and that it creates its folder', async () => {
  const env = parseEnv({ DATA_DIR: '/tmp/not-there-yet' })
  expect([...checkDisk(env, ''), ...(await checkRunningServer(env))]).toMatchObject([
    { state: 'warning', seen: '/tmp/not-there-yet does not exist yet.' },
    { state: 'warning', seen: 'No server is running here.' },
  ])
})

// Root can write anywhere, so the test looks as another user, who may not be allowed to read this
// checkout.
const isRoot = process.getuid?.() === 0
const other = isRoot ? { uid: 65_534 } : {}
const isPrivateCheckout = spawnSync('ls', [import.meta.dirname], other).status !== 0

test.skipIf(isPrivateCheckout)(
  'an unwritable folder is reported, and the command in the advice helps',
  () => {
    using folder = newDataDir()
    mkdirSync(join(folder.path, 'backups'), { mode: 0o700 })
    chmodSync(folder.path, isRoot ? 0o755 : 0o555)
    const check = (BACKUP_DIR = join(folder.path, 'backups')) => {
      const env = JSON.stringify({ DATA_DIR: folder.path, BACKUP_DIR })
      const script = `import { checkDisk } from '${join(import.meta.dirname, 'disk.ts')}'
        console.log(JSON.stringify(checkDisk(${env}, '')[0]))`
      const args = ['--input-type=module', '--eval', script]
      return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8', ...other })) as Found
    }
    const denied = check()
    const [, command = ''] = /: sudo (.*)$/.exec(denied.advice) ?? []
    expect(denied).toMatchObject({ state: 'problem', seen: expect.stringContaining('cannot be written') })
    expect(command).toContain(folder.path)
    if (!isRoot) return
    execFileSync('sh', ['-c', command])
    expect(check('/nowhere/backups')).toMatchObject({ seen: '/nowhere/backups cannot be created.' })
  },
)

test('databases that a restore has replaced are mentioned, because leads may be only there', () => {
  using folder = newDataDir()
  const name = 'leads-before-restore-2026-03-02T15-00-00-000Z.db'
  writeFileSync(join(folder.path, name), '')
  const found = checkDisk(parseEnv({ DATA_DIR: folder.path }), '')
  expect(found.at(-1)).toMatchObject({ state: 'warning', seen: expect.stringContaining(name) })
})

test.each([
  [499, 'problem'],
  [500, 'ok'],
])('%i MB of free space are rated "%s"', (free, state) => {
  expect(rateSpace('/data', free * 1024 * 1024, 0)).toMatchObject({
    state,
    seen: `${free} MB is free on the disk of /data.`,
  })
})

test('free space for less than two copies of the database is a warning', () => {
  using folder = newDataDir()
  const { bavail, bsize } = statfsSync(folder.path)
  const database = join(folder.path, 'leads.db')
  const spaceBeside = (share: number) => {
    // Takes no space: the file is a hole.
    writeFileSync(database, '')
    truncateSync(database, Math.round(share * bavail * bsize))
    return checkDisk(parseEnv({ DATA_DIR: folder.path }), '').find(({ seen }) => seen.includes('MB is free'))
  }
  expect([spaceBeside(0.4), spaceBeside(0.6)]).toMatchObject([{ state: 'ok' }, { state: 'warning' }])
})

test('late emails to owners, and late leads for the webhook, are each explained by their own last failure', async () => {
  const env = { ...site.context.env, webhook: { url: 'http://127.0.0.1:1/', secret: webhookSecret } }
  const attempts = [
    ['owner_notice', 'retry', '451 busy'],
    ['owner_notice', 'failed', '535 wrong password'],
    ['owner_notice', 'sent', '250 ok'],
    ['webhook', 'retry', '500 broken'],
    ['webhook', 'failed', '404 gone'],
    ['visitor_receipt', 'retry', '452 mailbox full'],
    ['answer', 'retry', '550 no such user'],
  ] as const
  for (const [kind, outcome, response] of attempts) {
    await site.submit({ message: response })
    const { id } = await claimEmail(site)
    const cause = kind === 'answer' ? 'recipient' : 'server'
    const state = outcome === 'failed' && kind === 'webhook' ? 'failed' : 'sending'
    await site.db.updateTable('outbox').set({ kind, cause, state }).where('id', '=', id).execute()
    const attempt = { outbox_id: id, at: '', outcome, response }
    await site.db.insertInto('outbox_attempts').values(attempt).execute()
  }
  const now = new Date(site.clock.now.getTime() + HOUR_MS)

  expect(await checkQueue({ db: site.db, env, now, command: String })).toMatchObject([
    { seen: expect.stringMatching(/^Late emails .*The last failure: 535 wrong password/) },
    { seen: expect.stringMatching(/^Leads that wait for LEAD_WEBHOOK_URL.*The last failure: 500 broken/) },
    { seen: expect.stringMatching(/^Leads that LEAD_WEBHOOK_URL never took.*The last failure: 404 gone/) },
  ])
})

test('why an email is late is never the reason of another one that was sent since; an answer has one, too', async () => {
  const seen = async () => {
    const now = new Date(site.clock.now.getTime() + HOUR_MS)
    return (await checkQueue({ ...site.context, now, command: String }))[0]?.seen
  }
  await site.submit({ message: 'Earlier' })
  const { id } = await claimEmail(site)
  await site.db
    .insertInto('outbox_attempts')
    .values({ outbox_id: id, at: '', outcome: 'retry', response: '550 no such user' })
    .execute()
  await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  await site.submit({ message: 'Later' })
  expect(await seen()).toMatch(/^Late emails .*No attempt has failed/)

  const late = await claimEmail(site)
  await site.db
    .updateTable('outbox')
    .set({ kind: 'answer', cause: 'server' })
    .where('id', '=', late.id)
    .execute()
  await site.db
    .insertInto('outbox_attempts')
    .values({ outbox_id: late.id, at: '', outcome: 'retry', response: 'connect ECONNREFUSED' })
    .execute()
  expect(await seen()).toMatch(/^Late emails .*ECONNREFUSED/)

  // As `leads resend` does, while the server is off.
  await site.db.updateTable('outbox').set({ state: 'queued', attempts: 0 }).execute()
  expect(await seen()).toMatch(/^Late emails .*No attempt has failed/)
})

const HOUR_MS = 60 * 60 * 1000
/** What doctor says this many hours after the last backup. Only the names of backups matter. */
async function checkAfter(hours: number, everyHours = 24, offsiteName?: string, mountInfo = '') {
  const at = site.clock.now
  const { BACKUP_DIR } = site.env
  mkdirSync(BACKUP_DIR, { recursive: true })
  writeFileSync(join(BACKUP_DIR, backupName(at)), '')
  mkdirSync(join(site.dataDir, 'offsite'), { recursive: true })
  if (offsiteName !== undefined)
    writeFileSync(join(site.dataDir, 'offsite', 'offsite.json'), JSON.stringify({ backup: offsiteName }))
  const found = await checkBackups({
    db: site.db,
    env: { ...site.env, BACKUP_EVERY_HOURS: everyHours },
    mountInfo,
    now: new Date(at.getTime() + hours * HOUR_MS),
    command: (words: string) => `docker compose exec web ${words}`,
  } as never)
  return found.map(({ state, seen, advice }) => [state, seen, advice].filter(Boolean).join(': '))
}

test.each([
  [24, [26, 27, 51]],
  [6, [7, 9, 15]],
  [168, [100, 171, 339]],
])(
  'with a backup every %i hours, backups that are %j hours old are rated ok, warning and problem, respectively',
  async (everyHours, ages) => {
    const states = []
    for (const hours of ages) states.push((await checkAfter(hours, everyHours))[0]?.split(':')[0])

    expect(states).toEqual(['ok', 'warning', 'problem'])
  },
)

test('without an offsite backup, the disk of the backup is mentioned', async () => {
  expect((await checkAfter(1))[1]).toMatch(
    /^warning: The last backup is on the same disk as the leads.*BACKUP_DIR.*offsite profile/,
  )
  expect((await checkAfter(1, 24, undefined, '5 1 0:5 / / rw - tmpfs tmpfs rw'))[1]).toMatch(
    /^warning: The last backup is on a temporary disk/,
  )
  expect(await checkAfter(1, 24, backupName(new Date(site.clock.now.getTime() - 2 * HOUR_MS)))).toEqual([
    'ok: The last backup is 1 hour old.',
    'ok: The last offsite backup is 3 hours old.',
  ])
  expect(await checkAfter(100, 24, backupName(site.clock.now))).toHaveLength(2)
  expect((await checkAfter(1, 24, '')).at(-1)).toMatch(
    /^warning: There is no offsite backup yet\.: .*docker compose logs offsite/,
  )
})

test.each([
  [new Error('Broken'), 'Correct this, then run doctor again.'],
  [new OperatorError('It is full.\nDelete something.'), 'Delete something.'],
])('of a check that fails with %o, the advice is what to do', async (error, advice) => {
  const found = await runCheck(() => {
    throw error
  })

  expect(found).toMatchObject([{ state: 'problem', advice }])
})
