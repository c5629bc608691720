import { execFileSync } from 'node:child_process'
import { copyFileSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { contactPath, formTokenField, formTokenPath, honeypotField } from '#shared/contact-request.ts'
import { startDovecot } from '../testing/dovecot.ts'
import { freePort } from '../testing/free-port.ts'
import { bounceOf } from '../testing/mailbox.ts'
import { openBrowser } from '../testing/owner-browser.ts'
import { createDatabase, findPostgres, startPostgres } from '../testing/postgres.ts'
import { openReceiver, webhookSecret } from '../testing/receiver.ts'
import { hangUp, openRelay } from '../testing/relay.ts'
import { sampleRequest } from '../testing/sample-request.ts'
import { createAuthenticator } from '../testing/software-authenticator.ts'
import { startProgram } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'

// Writes leads.db and leads.sql: what an earlier version of the program has stored. Pass the folder of its checkout. The
// program is the real one, and so are the mail servers' protocols; only visitors, owners and mail servers are played here.
// It was run once, with the last version before 1.0.0 (commit 278877a1). Run it again only for a newer version.

const [, , root = ''] = process.argv
const SITE = 'https://agency.example'
const [anna, bob] = ['anna@agency.example', 'bob@agency.example']
// An owner can undo an answer for this long.
const UNDO_MS = 15_000
const offer = 'We do SEO for small companies: rank #1 on Google guaranteed. Reply YES for prices.'

const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** Each at a domain of its own, because a domain gets few receipts a day. */
const addressOf = (name: string) => name.toLowerCase().replace(' ', '@').concat('.example')

type Settings = { DATA_DIR: string; DATABASE_URL?: string }
type Query = (statement: string) => Promise<Record<string, string>[]>

async function live(settings: Settings, query: Query) {
  await using relay = await openRelay()
  await using dovecot = await startDovecot()
  dovecot.addMailbox()
  dovecot.deliver('Subject: An old message\n\nHello')
  const receiver = await openReceiver()
  const env = {
    ...settings,
    BACKUP_DIR: join(settings.DATA_DIR, 'backups'),
    // The owners' browsers keep their address.
    PORT: String(await freePort()),
    SITE_URL: SITE,
    MAIL_FROM: 'Plumbline <hello@agency.example>',
    MAIL_TO: `${anna},${bob}`,
    TRUST_PROXY: '1',
    VISITOR_RECEIPT: 'on',
    REMINDERS: 'off',
    EMAILS_A_DAY: '0',
    CONTACT_LIMIT: '1000',
  }
  const mail = {
    SMTP_URL: relay.url,
    IMAP_URL: dovecot.url,
    LEAD_WEBHOOK_URL: receiver.url,
    LEAD_WEBHOOK_SECRET: webhookSecret,
  }
  const start = async (more: Record<string, string> = {}) => {
    const program = await startProgram({ ...env, ...more }, { root })
    process.once('exit', () => program.stop('SIGKILL'))
    return program
  }
  const cli = (name: string, ...args: string[]) =>
    execFileSync(process.execPath, [join(root, `server/cli/${name}.ts`), ...args], {
      env: { ...env, ...mail },
    })
  let networks = 0

  /** Posts a request from a network of its own, as slowly as a person, or as fast as a bot that fills in every field. */
  async function post(url: string, name: string, more: object = {}) {
    const [firstName = '', lastName = ''] = name.split(' ')
    const email = addressOf(name)
    const token = await (await fetch(url + formTokenPath)).text()
    if (!(honeypotField in more)) await sleep(2_200)
    const message = `We are ${lastName} & Sons and need a new site.\nWhen can you start?`
    const request = { ...sampleRequest({ firstName, lastName, email, message }), [formTokenField]: token }
    const response = await fetch(url + contactPath, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.${++networks}.1.1` },
      body: JSON.stringify({ ...request, ...more }),
    })
    return ((await response.json()) as { reference: string }).reference
  }
  const waitFor = (what: string, from: string) =>
    waitUntil(what, async () => Number((await query(`select count(*) as n from ${from}`))[0]?.n) > 0, 60_000)
  const messageIdOf = async (reference: string, kind: string) => {
    const rows = await query(`select message_id from outbox where kind = '${kind}'
      and lead_id = (select id from leads where reference = '${reference}') order by id desc`)
    return String(rows[0]?.message_id)
  }

  // A first look, without a mail server.
  let program = await start()
  await post(program.url, 'Fiona Files')
  await waitFor('the first emails are files', "outbox where kind = 'visitor_receipt' and state = 'file'")
  await program.stop()

  program = await start(mail)
  await waitFor('the mailbox is watched', "settings where name = 'mailbox_sent'")
  const signIn = async (owner: string) => {
    const browser = openBrowser(program.url as never)
    const link = JSON.parse(String(cli('leads', 'sign-in', owner, '--json')))
    await browser.post('/sign-in/link', { token: link.url.split('#link=')[1] })
    return browser
  }
  const [annas, bobs] = [await signIn(anna), await signIn(bob)]
  const device = createAuthenticator()
  const { body: options } = await annas.post('/access/passkeys/options')
  await annas.post('/access/passkeys', { ...device.create(options), name: "Anna's phone" })
  const { body: challenge } = await annas.post('/sign-in/passkey/options')
  await openBrowser(program.url as never).post('/sign-in/passkey', device.get(challenge))
  await bobs.post('/sign-in/passkey/options')
  await bobs.put('/push', {
    endpoint: 'https://push.example/bob',
    keys: {
      p256dh: Buffer.alloc(65, 4).toString('base64url'),
      auth: Buffer.alloc(16, 7).toString('base64url'),
    },
    showsContent: true,
  })
  const saved = { name: 'Thanks', text: 'Hello {first name},\n\nThank you for your request.' }
  await annas.put('/replies', { before: null, after: saved })

  const version = async (reference: string) => (await annas.get(`/leads/${reference}`)).body.version
  const change = async (reference: string, path: string, body: object = {}, browser = annas) => {
    const { status, text } = await browser.post(`/leads/${reference}/${path}`, {
      version: await version(reference),
      ...body,
    })
    if (status >= 300) throw new Error(`${path}: ${text}`)
  }
  const answer = (reference: string, more: object = {}) => {
    const text = 'Yes, we can start on Monday.'
    return change(reference, 'answers', { key: crypto.randomUUID(), text, base: null, ...more })
  }
  const draft = async (reference: string, text: string, browser = annas) =>
    browser.put(`/leads/${reference}/draft`, { text, base: null, version: await version(reference) })

  const waiting = await post(program.url, 'Olivia Open')
  await change(waiting, 'seen')
  await change(waiting, 'notes', { key: crypto.randomUUID(), text: 'Called: no answer.' }, bobs)
  await draft(waiting, 'Dear Olivia,')
  await draft(waiting, 'Hello Olivia,', bobs)
  for (const [name, state] of [
    ['Walter Won', 'won'],
    ['Lena Lost', 'lost'],
    ['Sam Spam', 'spam'],
  ] as const)
    await change(await post(program.url, name), 'state', { state })
  const later = await post(program.url, 'Peter Postponed')
  await change(later, 'follow-up', { on: dayIn(40) })
  const called = await post(program.url, 'Carla Called')
  const byPhone = { at: new Date().toISOString(), by: 'phone' }
  await change(called, 'state', { state: 'answered', answered: byPhone })
  await change(called, 'follow-up', { on: dayIn(60) }, bobs)
  const undone = await post(program.url, 'Ulla Undone')
  await change(undone, 'state', { state: 'lost' })
  await change(undone, 'undo')
  const key = crypto.randomUUID()
  await answer(undone, { key })
  await change(undone, `answers/${key}/undo`)
  await post(program.url, 'Susan Suspect', { message: offer, [honeypotField]: 'x' })
  const honest = await post(program.url, 'Hanna Honest', {
    message: `${offer} (A joke.)`,
    [honeypotField]: 'x',
  })
  await change(honest, 'state', { state: 'open' })
  await post(program.url, 'Emil Erased')

  relay.misbehave('rcpt', (_socket, line) =>
    /<(nora|rita)@/i.test(line) ? '550 5.1.1 no such user' : relay.usual.rcpt,
  )
  await post(program.url, 'Nora Nobox')
  const corrected = await post(program.url, 'Rita Refused')
  await answer(corrected)
  const answered: Record<string, string> = {}
  for (const name of [
    'Anton Answered',
    'Rosa Replied',
    'Auto Away',
    'Mia Mailed',
    'Boris Bounced',
    'Vera Victory',
  ]) {
    const reference = await post(program.url, name)
    answered[name] = reference
    if (name !== 'Mia Mailed') await answer(reference)
  }
  await sleep(UNDO_MS)
  for (const [name, reference] of Object.entries(answered))
    if (name !== 'Mia Mailed')
      await waitFor(
        'the answers are sent',
        `outbox where state = 'sent' and message_id = '${await messageIdOf(reference, 'answer')}'`,
      )
  await waitFor('an answer is refused', "lead_events where what = 'answer_failed'")
  await answer(corrected, { to: 'rita.refused@corrected.example' })
  await change(answered['Vera Victory'] ?? '', 'state', { state: 'won' })

  const letter = async (
    name: string,
    id: string,
    more: string[] = [],
    body = 'When can you start?',
    from?: string,
  ) => {
    const ours = await messageIdOf(answered[name] ?? '', 'answer')
    return [
      `From: ${from ?? addressOf(name)}`,
      `Message-ID: ${id}`,
      `Date: ${new Date().toUTCString()}`,
      ...(more.length > 0
        ? more
        : ['To: hello@agency.example', 'Subject: Re: Your request', `In-Reply-To: ${ours}`]),
      ...(body.startsWith('Content-Type') ? [] : ['Content-Type: text/plain; charset=utf-8', '']),
      body,
    ].join('\r\n')
  }
  const store = async (message: string, what: string, into?: 'Sent') => {
    const count = async () =>
      Number((await query(`select count(*) as n from lead_events where what = '${what}'`))[0]?.n)
    const before = await count()
    dovecot.deliver(message, into)
    await waitUntil(`a message is stored: ${what}`, async () => (await count()) > before, 60_000)
  }
  await store(
    await letter('Rosa Replied', '<first@example.com>', [], 'Great!\r\n\r\n> Yes, we can start on Monday.'),
    'reply',
  )
  const namesHers = [
    'To: hello@agency.example',
    'Subject: Re: Your request',
    'In-Reply-To: <first@example.com>',
  ]
  await store(
    await letter('Rosa Replied', '<second@example.com>', namesHers, 'Me, too.', 'camille@example.org'),
    'reply',
  )
  const byReference = ['To: hello@agency.example', `Subject: Photos for ${answered['Rosa Replied']}`]
  await store(await letter('Rosa Replied', '<third@example.com>', byReference, 'Here they are.'), 'reply')
  await store(await letter('Vera Victory', '<thanks@example.com>', [], 'Thank you!'), 'reply')
  const away = await messageIdOf(answered['Auto Away'] ?? '', 'answer')
  const automatic = ['Subject: Away', 'Auto-Submitted: auto-replied', `In-Reply-To: ${away}`]
  await store(await letter('Auto Away', '<away@example.com>', automatic, 'I am away.'), 'automatic_reply')
  const toMia = ['To: mia@mailed.example', `Subject: Re: ${answered['Mia Mailed']}`]
  await store(
    await letter('Mia Mailed', '<sent@agency.example>', toMia, 'Yes, we can.', anna),
    'answered_by_mail',
    'Sent',
  )
  const returned = ['To: hello@agency.example', 'Subject: Undeliverable']
  const bounced = bounceOf(await messageIdOf(answered['Boris Bounced'] ?? '', 'answer')).replace(
    'ada@example.com',
    addressOf('Boris Bounced'),
  )
  const report = await letter(
    'Boris Bounced',
    '<report@mx.example.com>',
    returned,
    bounced,
    'mailer-daemon@mx.example.com',
  )
  await store(report, 'answer_failed')
  cli('backup')
  cli('leads', 'erase', addressOf('Emil Erased'), '--yes')
  await sleep(UNDO_MS)
  await waitFor(
    'the corrected answer is sent',
    "outbox where recipient = 'rita.refused@corrected.example' and state = 'sent'",
  )
  await program.stop()

  // A busy day, on which the mail server and the receiver of leads fail.
  receiver.respondWith(500)
  program = await start({ ...mail, EMAILS_A_DAY: '4' })
  await post(program.url, 'Lisa Listed')
  await waitFor('a notice is listed', "outbox where state = 'listed'")
  await program.stop()
  relay.misbehave('rcpt', '450 4.7.1 greylisted, try again later')
  program = await start({ ...mail, VISITOR_RECEIPT: 'on' })
  await post(program.url, 'Quentin Queued')
  await waitFor('notices wait', "outbox where state = 'queued' and kind = 'owner_notice' and attempts > 0")
  await bobs.post('/sign-in', { email: bob })
  await answer(waiting)
  await waitFor('the answer waits', "outbox where kind = 'answer' and state = 'queued' and attempts = 0")
  await program.stop('SIGKILL')
  relay.misbehave('ehlo', () => undefined)
  program = await start(mail)
  await waitFor('an email is being sent', "outbox where state = 'sending'")
  const notYet = await post(program.url, 'Hugo Hanging')
  await openBrowser(program.url as never).post('/sign-in', { email: anna })
  await answer(notYet)
  await program.stop('SIGKILL')
  relay.misbehave('connect', hangUp)
  await receiver.close()
  cli('backup')
  return globSync(join(settings.DATA_DIR, 'backups/leads-*.db')).toSorted().at(-1) ?? ''
}

const folder = () => mkdtempSync(join(tmpdir(), 'website-'))
const here = (name: string) => join(import.meta.dirname, name)

async function writeSqlite() {
  const DATA_DIR = folder()
  const query: Query = async (statement) => {
    const db = new Sqlite(join(DATA_DIR, 'leads.db'), { readonly: true, timeout: 5_000 })
    const rows = db.prepare<[], Record<string, string>>(statement).all()
    db.close()
    return rows
  }
  copyFileSync(await live({ DATA_DIR }, query), here('leads.db'))
  rmSync(DATA_DIR, { recursive: true })
}

async function writePostgres() {
  await using server = await startPostgres(findPostgres() ?? '')
  const DATABASE_URL = await createDatabase(server.urlOf('postgres'), 'leads')
  const DATA_DIR = folder()
  const client = new pg.Client(DATABASE_URL)
  await client.connect()
  await live({ DATA_DIR, DATABASE_URL }, async (statement) => (await client.query(statement)).rows)
  await client.end()
  const options = ['--no-owner', '--no-privileges', '--inserts', '--rows-per-insert=100']
  const dump = execFileSync(join(findPostgres() ?? '', 'pg_dump'), [...options, DATABASE_URL]).toString()
  // Only psql understands these lines.
  writeFileSync(here('leads.sql'), dump.replace(/^\\.*\n/gm, ''))
  rmSync(DATA_DIR, { recursive: true })
}

await writeSqlite()
await writePostgres()
