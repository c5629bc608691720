import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { takeBackup } from '../backup/take-backup.ts'
import { lockDataDirectory } from '../database/lock-data-directory.ts'
import { closeOpenFiles } from '../files/private-files.ts'
import { buildTestApp } from '../testing/build-test-app.ts'
import { type Inbox, openInbox } from '../testing/inbox.ts'
import { diagnose } from './diagnose.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
let inbox: Inbox
beforeEach(async () => {
  site = await buildTestApp()
  inbox = await openInbox()
})
afterEach(async () => {
  await inbox.close()
  await site[Symbol.asyncDispose]()
})

const records: Record<string, string> = {
  'agency.co': 'v=spf1 mx -all',
  '_dmarc.agency.co': 'v=DMARC1; p=none',
}

function leaveOffsiteRecord(backup: string) {
  mkdirSync(join(site.dataDir, 'offsite'), { recursive: true })
  writeFileSync(join(site.dataDir, 'offsite', 'offsite.json'), JSON.stringify({ backup }))
}

/** The findings about an installation as it should be, but for `changes`. The app answers at its port. */
async function examine(changes: Record<string, string> = {}, { isRunning = true, isSent = true } = {}) {
  const server = createServer(site.app).listen(0, 'localhost')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const lock = isRunning ? lockDataDirectory(site.dataDir) : undefined
  const { path } = await takeBackup(site.env, site.clock.now)
  if (isSent) leaveOffsiteRecord(basename(path))
  // As the server does when it starts.
  closeOpenFiles({ dataDir: site.dataDir, backupDir: site.env.BACKUP_DIR })
  const source = {
    PORT: String(port),
    SITE_URL: `http://localhost:${port}`,
    DATA_DIR: site.dataDir,
    SMTP_URL: inbox.url,
    MAIL_FROM: 'site@agency.co',
    ...changes,
  }
  const resolveTxt = async (name: string) => [[records[name] ?? '']]
  const findings = await diagnose({ source, resolveTxt, mountInfo: '', now: site.clock.now })
  lock?.release()
  server.close()
  return findings
    .filter(({ state }) => state !== 'ok')
    .map(({ check, state, seen }) => `${state}: ${check}: ${seen}`)
}

test('an installation as it should be has no findings', async () => {
  expect(await examine()).toEqual([])
})

test('a backup on the disk of the leads is named until it was sent elsewhere', async () => {
  expect(await examine({ BACKUP_DIR: '' }, { isSent: false })).toEqual([
    expect.stringMatching(/^warning: backup: .* is on the same disk as the leads/),
  ])
})

test('every setting that cannot be used is named, and the rest is still looked at', async () => {
  const findings = await examine({
    PORT: '0',
    CONTACT_LIMIT: 'hunter2',
    LOG_LEVEL: 'loud',
    SMTP_HOST: 'mail',
    VISITOR_RECEIPTS: 'on',
  })

  expect(findings).toEqual([
    'problem: settings: CONTACT_LIMIT cannot be used. Expected a whole number.',
    expect.stringMatching(/^problem: settings: LOG_LEVEL cannot be used/),
    'warning: settings: SMTP_HOST is set, but there is no such setting.',
    'warning: settings: VISITOR_RECEIPTS is set, but there is no such setting.',
  ])
})

test.each([
  [
    'https without TRUST_PROXY',
    { SITE_URL: 'https://localhost:1' },
    /^problem: proxy: .*all visitors count as one/,
  ],
  ['TRUST_PROXY without https', { TRUST_PROXY: '1' }, /^warning: proxy: .*visitors can forge/],
  ['no public address', { SITE_URL: '' }, /^warning: proxy: SITE_URL is not set/],
  ['plain http in public', { SITE_URL: 'http://agency.invalid' }, /^warning: proxy: .*in the clear/],
  [
    'a public address that leads nowhere',
    { SITE_URL: 'http://localhost:65531' },
    /^warning: public address: .*ECONNREFUSED/,
  ],
  [
    'a server elsewhere',
    { PORT: '65531' },
    /^problem: server: The server runs, but at http:\/\/localhost:65531 .*ECONNREFUSED/,
  ],
])('%s is named', async (_name, changes, expected) => {
  expect(await examine(changes)).toContainEqual(expect.stringMatching(expected))
})

test('a public address that leads to another program is named', async () => {
  const other = createServer((_request, response) => response.end('It works!')).listen(0, 'localhost')
  await once(other, 'listening')

  const findings = await examine({ SITE_URL: `http://localhost:${(other.address() as AddressInfo).port}` })

  other.close()
  expect(findings).toEqual([expect.stringMatching(/public address: .*an answer 200 of another program/)])
})

test('a server that does not run is named', async () => {
  expect(await examine({}, { isRunning: false })).toEqual([
    'warning: server: The server is not running on this data directory.',
  ])
})

test('the command prints what to do, and its exit code tells a problem', async () => {
  const run = (env: Record<string, string>) =>
    promisify(execFile)(process.execPath, ['server/cli/doctor.ts'], {
      env: { DATA_DIR: site.dataDir, ...env },
    }).catch((error: { code: number; stdout: string }) => error)

  const wrong = await run({ LOG_LEVEL: 'loud' })

  expect(wrong).toMatchObject({ code: 1, stdout: expect.stringContaining('Mend LOG_LEVEL, then start') })
  expect(wrong.stdout).toMatch(/\n1 problems?, \d warnings?\.\n$/)
})
