import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import express from 'express'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { backupName } from '../files/backup-list.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { serve } from '../proof/testing/contact.ts'
import { type Inbox, openInbox } from '../proof/testing/inbox.ts'
import { webhookSecret as LEAD_WEBHOOK_SECRET } from '../proof/testing/receiver.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'
import { diagnose } from './diagnose.ts'

const site = useTestApp()
let inbox: Inbox
beforeEach(async () => {
  inbox = await openInbox()
})
afterEach(async () => {
  await inbox.close()
})

const records: Record<string, string> = {
  'agency.co': 'v=spf1 mx -all',
  '_dmarc.agency.co': 'v=DMARC1; p=none',
}

let checks: string[]

/**
 * Returns the warnings and problems of a healthy installation after these `changes` to its
 * settings. Sets `checks`.
 */
async function examine(changes: Record<string, string>, shouldSend = false) {
  using server = await serve(site.app)
  const unlock = lockDataDirectory(site.dataDir)
  // Only the name of a backup matters here.
  const backup = backupName(site.clock.now)
  for (const [file, content] of [
    [join(site.env.BACKUP_DIR, backup), ''],
    [join(site.dataDir, 'offsite/offsite.json'), JSON.stringify({ backup })],
  ] as const) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  // The server's files have this mode.
  execFileSync('chmod', ['-R', 'go=', site.dataDir])
  const source = {
    PORT: String(server.port),
    SITE_URL: server.url,
    DATA_DIR: site.dataDir,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'site@agency.co',
    MAIL_TO: 'owner@agency.co',
    ...changes,
  }
  const dns = {
    resolveTxt: async (name: string) => [[records[name] ?? '']],
    resolveMx: async (name: string) => {
      if (name === 'agency.co') return [{ exchange: 'mx.agency.co', priority: 1 }]
      throw Object.assign(new Error('queryMx ETIMEOUT'), { code: 'ETIMEOUT', syscall: 'queryMx' })
    },
  } as never
  const now = site.clock.now
  const findings = await diagnose({
    source,
    dns,
    askTime: async () => now,
    ownAddresses: [],
    mountInfo: '',
    now,
    shouldSend,
  })
  unlock()
  checks = [...new Set(findings.map(({ check }) => check))]
  return (
    findings
      // Only the owner can answer the page's open questions.
      .filter(({ state, check }) => state !== 'ok' && check !== 'questions')
      .map(({ check, state, seen }) => `${state}: ${check}: ${seen}`)
  )
}

const usual = [
  ...['settings', 'mail server', 'sender domain', 'recipients', 'proxy', 'time', 'questions', 'disk'],
  ...[
    'database',
    'emails',
    'arrival of emails',
    'backups',
    'visitors',
    'passkeys',
    'push messages',
    'server',
  ],
]

test('a healthy installation has no problems, and gets test messages only on request, an email to each recipient', async () => {
  const LEAD_WEBHOOK_URL = 'http://127.0.0.1:1/'
  const changes = { MAIL_TO: 'owner@agency.co,office@agency.co', LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET }

  expect(await examine(changes)).toEqual([])
  expect(checks).toEqual(usual)
  expect(inbox.emails).toEqual([])
  expect(await examine(changes, true)).toEqual([
    expect.stringMatching(/^problem: lead webhook: 127\.0\.0\.1:1 did not accept a test: /),
  ])
  expect(checks.toSorted()).toEqual([...usual, 'test email', 'lead webhook'].toSorted())

  expect(inbox.emails).toHaveLength(2)
  expect(await inbox.read(0)).toMatchObject({
    from: { address: 'site@agency.co' },
    to: [{ address: 'owner@agency.co' }],
    subject: expect.stringContaining('Test email'),
  })
})

test('the mailbox is checked, and nothing is sent to a mail server that refuses the login', async () => {
  const found = await examine({ SMTP_URL: 'smtp://127.0.0.1:1', IMAP_URL: 'imap://u:p@127.0.0.1:1' }, true)

  expect(found).toEqual([
    expect.stringMatching(/^problem: mail server: /),
    expect.stringMatching(/^problem: mailbox: /),
  ])
  expect(checks.toSorted()).toEqual([...usual, 'mailbox', 'messages in the mailbox'].toSorted())
})

test('a mailbox that is not read because of INBOX=off is not checked', async () => {
  expect(await examine({ INBOX: 'off', IMAP_URL: 'imap://u:p@127.0.0.1:1' })).toEqual([])
  expect(checks).toEqual(usual)
})

test.each<[string, Record<string, string>, RegExp]>([
  [
    'https without TRUST_PROXY',
    { SITE_URL: 'https://localhost:1' },
    /^problem: proxy: .*share one rate limit/,
  ],
  [
    'DNS that does not answer',
    { MAIL_TO: 'owner@silent.co' },
    /^warning: recipients: No answer from the internet \(DNS\): queryMx ETIMEOUT/,
  ],
  ['no mail server', { SMTP_URL: '' }, /^warning: mail server: SMTP_URL is not set/],
  ['no public address', { SITE_URL: '' }, /^warning: proxy: SITE_URL is not set/],
  ['a public address without https', { SITE_URL: 'http://agency.invalid' }, /^warning: proxy: .*unencrypted/],
  [
    'a public address where no server runs',
    { SITE_URL: 'http://localhost:65531' },
    /^warning: server: http:\/\/localhost:65531 does not reach the server.*ECONNREFUSED/,
  ],
  [
    'a PORT of an IPv6 address where no server listens',
    { HOST: '::1', PORT: '65531' },
    /^problem: server: The server does not work at http:\/\/\[::1\]:65531: ./,
  ],
])('%s is reported', async (_name, changes, expected) => {
  expect(await examine(changes)).toContainEqual(expect.stringMatching(expected))
})

test('another program at the public address is reported, also if it sends pages', async () => {
  using other = await serve(express().use((_request, response) => void response.send('<p>Hello</p>')))

  expect(await examine({ SITE_URL: other.url })).toContainEqual(
    expect.stringMatching(/^warning: server: .*: another program responds \(status 200\)/),
  )
})

test('doctor prints advice and exits with 1 if there is a problem, also as JSON', async () => {
  const doctor = (...options: string[]) =>
    runInThisProcess('doctor', options, { DATA_DIR: site.dataDir, LOG_LEVEL: 'loud' })
  const wrong = await doctor()

  expect(wrong).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('Correct it, restart the server'),
  })
  expect(wrong.stdout).toMatch(/\n1 problem, 0 warnings\.\n$/)
  const { code, stdout } = await doctor('--json')
  expect([code, JSON.parse(stdout)]).toMatchObject([1, [{ state: 'problem', check: 'settings' }]])
})
