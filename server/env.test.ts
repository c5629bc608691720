import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv as parseDotenv } from 'node:util'
import { expect, test } from 'vitest'
import { brand } from '#facts/brand.ts'
import { envNames, parseEnv } from './env.ts'

test('an empty environment is valid and leads to the defaults, and blanks around a value do not count', () => {
  expect(parseEnv({ BACKUP_DIR: ' /b ' }).BACKUP_DIR).toBe('/b')
  expect(parseEnv({ SMTP_URL: ' ', LOG_LEVEL: ' info ' })).toMatchObject({
    PORT: 3000,
    DATA_DIR: './data',
    BACKUP_DIR: 'data/backups',
    BACKUP_EVERY_HOURS: 24,
    MAIL_FROM: { address: brand.email },
    MAIL_TO: [brand.email],
    TRUST_PROXY: 0,
    CONTACT_LIMIT: 20,
    CONTACT_LIMIT_WINDOW_SECONDS: 600,
    EMAILS_A_DAY: 300,
    VISITOR_RECEIPT: 'off',
    INBOX: 'on',
    REMINDERS: 'on',
    RETENTION_DAYS: 0,
  })
})

test('MAIL_FROM can have a name', () => {
  const { MAIL_FROM } = parseEnv({ MAIL_FROM: '"Agency, My" <hello@agency.example>' })
  expect(MAIL_FROM).toEqual({ name: 'Agency, My', address: 'hello@agency.example' })
})

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

test('.env.example lists every setting, changes none of them, and is valid when uncommented', () => {
  const text = readFileSync('.env.example', 'utf8')
  const named = [...text.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)
  const uncommented = parseDotenv(text.replaceAll(/^#([A-Z_]+=)/gm, '$1'))

  expect(named.toSorted()).toEqual(envNames.toSorted())
  expect(parseEnv(parseDotenv(text))).toEqual(parseEnv({}))
  // The files that the example names do not exist. The example's LEAD_WEBHOOK_SECRET is invalid on
  // purpose, so that nobody uses it.
  const own = { SMTP_URL_FILE: '', OAUTH_CLIENT_SECRET_FILE: '', LEAD_WEBHOOK_SECRET: secret }
  expect(() => parseEnv({ ...uncommented, ...own })).not.toThrow()
  expect(() => parseEnv({ ...uncommented, ...own, LEAD_WEBHOOK_SECRET: 'whsec_change' })).toThrow(
    /LEAD_WEBHOOK_SECRET: Expected whsec_/,
  )
})

test('a webhook needs a URL and a secret, and no error shows them', () => {
  const url = 'https://crm.example/hook/token'
  const parse = (LEAD_WEBHOOK_URL: string, LEAD_WEBHOOK_SECRET: string) => () =>
    parseEnv({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET })

  expect(parse(url, secret)().webhook).toEqual({ url, secret })
  expect(parse('', secret)().webhook).toBeUndefined()
  for (const wrong of ['', 'whsec_c2hvcnQ=', secret.slice(6), `${secret}!`, `whsec_${'A'.repeat(92)}`])
    expect(parse(url, wrong)).toThrow(/LEAD_WEBHOOK_(SECRET|URL): .*echo whsec_/)
  for (const wrong of ['crm.example', 'ftp://crm.example/', 'https://'])
    expect(parse(wrong, secret)).toThrow(/^[^\n]+\n {2}LEAD_WEBHOOK_URL: Expected https:\/\/[^\n]*$/)
  for (const login of ['user:pass%40word@', 'user@'])
    expect(parse(`https://${login}crm.example/`, secret)).toThrow(/Expected no user name or password/)
  expect(parse(`${url}%zz@x`, 'whsec_token')).toThrow(/^(?!.*(_token|crm))/s)
})

test('the error lists every invalid setting once, without printing its value', () => {
  const wrong = {
    PORT: 'hunter2',
    SMTP_URL: 'http://user:hunter2@mail',
    MAIL_TO: 'hunter2, hunter3',
    LOG_LEVEL: 'hunter2',
  }

  expect(() => parseEnv(wrong)).toThrow(/PORT: .*\n {2}SMTP_URL: .*\n {2}MAIL_TO: .*\n {2}LOG_LEVEL: /)
  expect(() => parseEnv(wrong)).not.toThrow(/hunter2/)
})

test.each([
  'smtp://user:p@ss#1@mail.example.com:587',
  'smtp://user:12/34@mail.example.com:587',
  'smtp://user:12?34@mail.example.com:587',
  'smtp://user:12%zz34@mail.example.com:587',
  'smtp://user:100%@mail.example.com:587',
])('the error for an unencoded password says how to encode it (%s)', (SMTP_URL) => {
  expect(() => parseEnv({ SMTP_URL })).toThrow(
    /SMTP_URL: .*write @ # \/ \? : % \$ as %40 %23 %2F %3F %3A %25 %24/,
  )
})

test.each([
  { IMAP_URL: 'imaps://user:hunter2%e4@mail.example.com' },
  { SMTP_URL: 'smtps://us%e4r:hunter2@mail.example.com' },
  { DATABASE_URL: 'postgres://user:hunter2%E4@db.example.com/leads' },
  { DATABASE_URL: 'postgres://user:hunter2%@db.example.com/leads' },
])('%o says how to encode letters, and does not print the password', (source) => {
  expect(() => parseEnv(source)).toThrow(/^(?!.*hunter2).*%C3%A4 for ä/s)
  const [[name = '', url = '']] = Object.entries(source) as [[string, string]]
  expect(() => parseEnv({ [name]: url.replace(/%(e4)?@|%e4/i, '%C3%A4ä@') })).not.toThrow()
})

test.each([
  { TRUST_PROXY: 'true' },
  { TRUST_PROXY: ',' },
  { TRUST_PROXY: '10.0.0.0/64' },
  { SITE_URL: 'https://example.com/shop' },
  { SITE_URL: 'https://a%22b.example' },
  { TRUST_PROXY: '0.0.0.0/0' },
  { ALLOWED_ORIGINS: 'https://a.example, nonsense' },
  { CONTACT_LIMIT: '0' },
  { BACKUP_EVERY_HOURS: '169' },
  { MAIL_TO: 'a@b.example, not-an-address' },
  { MAIL_FROM: 'Agency <hello@example.com> <x@example.com>' },
  { MAIL_FROM: 'Plumb\nBcc: x@example.com <hello@example.com>' },
])('rejects %o', (source) => {
  expect(() => parseEnv(source)).toThrow(/Invalid settings/)
})

test('reads a secret from a file', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'website-')), 'smtp_url')
  writeFileSync(file, 'smtp://user:hunter2@mail.example.com:587\n')

  expect(parseEnv({ SMTP_URL_FILE: file }).SMTP_URL).toBe('smtp://user:hunter2@mail.example.com:587')
  expect(parseEnv({ SMTP_URL_FILE: file, SMTP_URL: 'smtp://a' }).SMTP_URL).toBe('smtp://a')
  const ofClient = { OAUTH_TOKEN_URL: 'https://login.example/token', OAUTH_CLIENT_ID: 'client' }
  const { oauth } = parseEnv({ ...ofClient, OAUTH_CLIENT_SECRET_FILE: file })
  expect(oauth?.clientSecret).toBe('smtp://user:hunter2@mail.example.com:587')
})

test.each(['anna@b.example;ben@b.example', 'Anna <anna@b.example>', 'anna@büro.example'])(
  'the error for MAIL_TO=%s says how to write it',
  (MAIL_TO) => {
    expect(() => parseEnv({ MAIL_TO })).toThrow(/commas, without names.* ü .*xn--/)
  },
)

test('an address that MAIL_TO names twice, in any case, gets one email', () => {
  expect(parseEnv({ MAIL_TO: 'anna@b.example, Anna@B.example, ben@b.example' }).MAIL_TO).toEqual([
    'anna@b.example',
    'ben@b.example',
  ])
})

test('access tokens need an address with https, a client and its secret, and no error shows the secret', () => {
  const given = {
    OAUTH_TOKEN_URL: 'https://login.example/token',
    OAUTH_CLIENT_ID: 'client',
    OAUTH_CLIENT_SECRET: 'hidden-secret',
  }
  const parse = (changed: Record<string, string>) => () => parseEnv({ ...given, ...changed })

  expect(parse({ OAUTH_SCOPE: 'mail' })().oauth).toEqual({
    tokenUrl: given.OAUTH_TOKEN_URL,
    clientId: 'client',
    clientSecret: 'hidden-secret',
    scope: 'mail',
    refreshToken: undefined,
  })
  expect(parse({ OAUTH_TOKEN_URL: '' })().oauth).toBeUndefined()
  expect(parse({ OAUTH_TOKEN_URL: 'http://localhost:1/' })().oauth?.tokenUrl).toBe('http://localhost:1/')
  for (const wrong of ['http://login.example/token', 'login.example'])
    expect(parse({ OAUTH_TOKEN_URL: wrong })).toThrow(/OAUTH_TOKEN_URL: Expected https:[^\n]*$/)
  for (const name of ['OAUTH_CLIENT_ID', 'OAUTH_CLIENT_SECRET'])
    expect(parse({ [name]: '' })).toThrow(/OAUTH_TOKEN_URL: .*is not set$/)
  expect(() => parse({ OAUTH_TOKEN_URL: 'http://login.example' })()).not.toThrow(/hidden-secret/)
})
