import { mkdtempSync, openSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { contactPath } from '#shared/contact-request.ts'
import { createLog } from '../log.ts'
import { useFolder } from '../proof/testing/build-test-app.ts'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { openReceiver, webhookSecret } from '../proof/testing/receiver.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'
import { startProgram } from '../proof/testing/start-program.ts'
import { describeStartError } from '../start/start-error.ts'
import { createRedaction, type Redact } from './redaction.ts'

const password = 'hunter2@home#9'
const encoded = encodeURIComponent(password)
const token = 'T0123456789abcdefXYZ'
const secrets = [password, encoded, token, webhookSecret.slice(6), 'hunter2']
const secretsShownIn = (text: string) =>
  secrets.filter((secret) => text.toLowerCase().includes(secret.toLowerCase()))

const folder = useFolder()

const logFile = join(mkdtempSync(join(tmpdir(), 'website-')), 'log')
let redactLine = createRedaction({})
const log = await createLog('info', (text) => redactLine(text), openSync(logFile, 'a'))
/** Logs an error and returns its line. */
async function logLine(redact: Redact, fields: object, message: string) {
  redactLine = redact
  log.error(fields, message)
  await nextTurn()
  return readFileSync(logFile, 'utf8').trimEnd().split('\n').at(-1) ?? ''
}

/** A mail server that refuses every login, and quotes it. */
async function openQuotingServer() {
  const inbox = await openInbox({
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, done) =>
      done(smtpError(535, `5.7.8 ${username}:${password} ${encodeURIComponent(String(password))} is wrong`)),
  })
  onTestFinished(() => inbox.close())
  return `127.0.0.1:${inbox.port}`
}

const login = `user:${encoded}`
const ofLogin = `${password} ${encoded}`

test.each([
  ['SMTP_URL', `smtp://${login}@mail.example`, ofLogin],
  ['IMAP_URL', `imaps://${login}@mail.example`, ofLogin],
  ['DATABASE_URL', `postgres://${login}@db.example/leads`, ofLogin],
  ['LEAD_WEBHOOK_URL', `https://crm.example/hook/${token}`, `/hook/${token} ${token}`],
  ['LEAD_WEBHOOK_SECRET', webhookSecret, webhookSecret.slice(6)],
])('%s: neither the log nor an error shows a secret', async (setting, value, quoted) => {
  const redact = createRedaction({ [setting]: value })
  const error = new Error(`wrong: ${value} ${quoted}`)

  const line = await logLine(redact, { err: error, reason: String(error) }, `failed: ${error}`)

  expect(JSON.parse(line)).toMatchObject({ level: 50, err: { stack: expect.any(String) } })
  expect(secretsShownIn(line + redact(describeStartError(error)))).toEqual([])
  expect(redact(value)).toBe('[secret]')
})

/** Settings that are valid, but fail and are quoted when they are used. */
async function failingSettings() {
  const receiver = await openReceiver()
  onTestFinished(() => receiver.close())
  // Quotes everything that it knows, as receivers in debug mode do.
  receiver.respondWith((response, { url }) => response.writeHead(404, `No ${url}`).end(url))
  return {
    DATA_DIR: join(folder.path, 'new/data'),
    SMTP_URL: `smtp://${login}@${await openQuotingServer()}`,
    LEAD_WEBHOOK_URL: `http://${receiver.host}/hook/${token}`,
    LEAD_WEBHOOK_SECRET: webhookSecret,
  }
}

test('doctor shows no secret, even if every server quotes what it gets', async () => {
  const env = await failingSettings()

  const { stdout } = await runInThisProcess('doctor', ['--send', '--json'], env)

  const seen = JSON.parse(stdout).map(({ check, seen }: Record<string, string>) => `${check}: ${seen}`)
  for (const check of ['mail server', 'lead webhook'])
    expect(seen).toContainEqual(expect.stringMatching(new RegExp(`^${check}: .*\\[secret\\]`)))
  expect(secretsShownIn(stdout)).toEqual([])
})

test('neither the log of the server nor its delivery log shows a secret, and nobody else can read its files', async () => {
  const env = await failingSettings()
  const program = await startProgram(env)
  onTestFinished(() => program.stop().then(() => {}))
  const body = JSON.stringify(sampleRequest())

  await fetch(program.url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })

  const show = async () => (await runInThisProcess('leads', ['list', '--json'], env)).stdout
  await expect.poll(show).toMatch(/\[secret\].*is wrong.*404 No \[secret\]/s)
  await program.stop()
  expect(secretsShownIn((await show()) + program.lines.join('\n'))).toEqual([])
  const files = readdirSync(env.DATA_DIR, { recursive: true }).map(String)
  expect(files).toContain('leads.db')
  expect(files.filter((file) => statSync(join(env.DATA_DIR, file)).mode & 0o077)).toEqual([])
})

test('the content of OAUTH_CLIENT_SECRET_FILE is redacted', () => {
  const OAUTH_CLIENT_SECRET_FILE = join(folder.path, 'client_secret')
  writeFileSync(OAUTH_CLIENT_SECRET_FILE, `${token}\n`)
  expect(createRedaction({ OAUTH_CLIENT_SECRET_FILE })(`wrong: ${token}`)).toBe('wrong: [secret]')
})

test('the content of SMTP_URL_FILE is redacted', () => {
  const SMTP_URL_FILE = join(folder.path, 'smtp_url')
  writeFileSync(SMTP_URL_FILE, `smtp://${login}@mail.example\n`)
  const redact = createRedaction({ SMTP_URL_FILE })

  expect(redact(`535 ${password} ${encoded}`)).toBe('535 [secret] [secret]')
})

test.each([
  ['in the spelling of a URL', 'pa$/ss', 'pa$%2Fss'],
  ['with an @ that is not encoded', 'p@ss#1', 'p@ss#1'],
])('a password %s is redacted', (_how, given, quoted) => {
  expect(createRedaction({ SMTP_URL: `smtp://user:${given}@mail.example` })(quoted)).toBe('[secret]')
})

test('nothing is left of a secret that begins with another one', () => {
  expect(createRedaction({ A_PASSWORD: 'open', B_PASSWORD: 'open-sesame' })('open-sesame')).toBe('[secret]')
})

test('passwords in an argument are secret, but no value of three characters', () => {
  const url = `postgres://${login}@db.example/leads?sslpassword=sesame`
  const redact = createRedaction({ A_PASSWORD: 'abc' }, ['--to', url])

  expect(redact(`${encoded} sesame abc`)).toBe('[secret] [secret] abc')
})

test.each(['SMTP_PASS', 'API_KEY', 'PGPASSWORD', 'DB_PASSWD', 'APP_SECRET', 'A_TOKEN'])(
  'the value of %s is secret',
  (name) => {
    expect(createRedaction({ [name]: 'hunter2' })('hunter2')).toBe('[secret]')
  },
)

test('a password is found in a line of JSON, which escapes it', async () => {
  const redact = createRedaction({ A_PASSWORD: 'a"b\\c\n' })

  expect(await logLine(redact, { reason: 'x a"b\\c y' }, '')).toContain('"reason":"x [secret] y"')
  const quoted = JSON.stringify('x a"b\\c y')
  expect(await logLine(redact, { reason: quoted }, '')).toContain('x [secret] y')
})

test('a line of JSON stays valid, and only its values are redacted, also in other case', async () => {
  const redact = createRedaction({ A_PASSWORD: 'LEVEL' })

  const line = await logLine(redact, { reason: 'x Level y' }, 'level')

  expect(JSON.parse(line)).toMatchObject({ level: 50, reason: 'x [secret] y', msg: '[secret]' })
})
