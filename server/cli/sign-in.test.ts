import { beforeEach, expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { openBrowser } from '../proof/testing/owner-browser.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'

const site = useTestApp({ mailTo: ['owner@agency.example', 'bob@agency.example'] })
beforeEach(async () => {
  // The command uses the real clock, so the app's clock must agree with it.
  site.clock.now = new Date()
})

const MAIL_TO = 'owner@agency.example, bob@agency.example'
const run = (args: string[], env: Record<string, string> = {}) =>
  runInThisProcess('leads', ['sign-in', ...args], {
    MAIL_TO,
    SITE_URL: 'https://agency.example',
    ...site.env,
    ...env,
  })
const REFUSED =
  'This link is incomplete, was already used, or is older than 10 minutes. Make a new one on the server: npm run leads -- sign-in'
const tokenIn = (text: string) => /#link=([\w-]{43})\b/.exec(text)?.[1] ?? ''
const redeem = (token: string, browser = openBrowser(site.app)) => browser.post('/sign-in/link', { token })

test('`leads sign-in` prints a link that works in any browser, but only once', async () => {
  const { stdout } = await run([])
  expect(stdout).toMatch(
    /^Open this link within 10 minutes to sign in as owner@agency\.example\. It works once:\nhttps:\/\/agency\.example\/inbox\/sign-in#link=[\w-]{43}\n$/,
  )

  const named = await run([], { MAIL_TO: 'Owner@Agency.example' })
  expect(named.stdout).toContain(' to sign in as Owner@Agency.example.')
  const local = await run([], { SITE_URL: '', PORT: '3100' })
  expect(local.stdout).toContain('\nhttp://localhost:3100/inbox/sign-in#link=')

  const browser = openBrowser(site.app)
  expect((await redeem(tokenIn(stdout), browser)).body).toMatchObject({ owner: 'owner@agency.example' })

  expect((await browser.get('/session')).status).toBe(200)
  expect((await redeem(tokenIn(stdout))).body.detail).toBe(REFUSED)
})

test("`leads sign-in` accepts the address of another owner, and rejects an address that is not an owner's", async () => {
  const { stdout } = await run(['BOB@agency.example', '--json'])
  const { owner, url, endsAt } = JSON.parse(stdout)
  const stranger = await run(['eve@example.com'])
  expect(await run([], { INBOX: 'off' })).toMatchObject({ code: 1, stdout: '' })

  expect((await redeem(tokenIn(url))).body).toMatchObject({ owner })
  expect(Date.parse(endsAt) - Date.now()).toBeLessThanOrEqual(10 * 60_000)
  expect(stranger).toMatchObject({
    code: 3,
    stderr: `eve@example.com is not in MAIL_TO. The owners are: ${MAIL_TO}\n`,
  })
})

test('a link expires after ten minutes, and an incomplete link is rejected', async () => {
  const token = tokenIn((await run([])).stdout)
  for (const part of [token.slice(1), '', 'x'.repeat(43), '\0'])
    expect((await redeem(part)).body.detail).toBe(REFUSED)
  site.clock.now = new Date(Date.now() + 10 * 60_000)

  expect((await redeem(token)).body.detail).toBe(REFUSED)
})
