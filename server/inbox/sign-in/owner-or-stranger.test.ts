import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { buildTestApp, isOnPostgres, type TestApp } from '../../proof/testing/build-test-app.ts'
import { firefoxOnWindows, openBrowser, signInEmails } from '../../proof/testing/owner-browser.ts'

const OWNER = 'owner@agency.example'
const STRANGER = 'abcde@example.com.au'
const MINUTE_MS = 60_000
// Fewer on PostgreSQL, where creating a database takes longer, and many requests at once would need too many connections.
const ROUNDS = isOnPostgres ? 10 : 200
const AT_ONCE = isOnPostgres ? 1 : 50
const WRONG = { code: 'AAAA-AAAA' }

vi.setConfig({ testTimeout: 120_000 })

type Browser = ReturnType<typeof openBrowser>
type Response = Awaited<ReturnType<Browser['post']>>
type Round = { site: TestApp; email: string; browser: Browser; other: Browser }

const repeat = async (times: number, send: () => Promise<Response>) => {
  const responses: Response[] = []
  for (let count = 0; count < times; count++) responses.push(await send())
  return responses
}
const wait = (minutes: number) => async (round: Round) => {
  round.site.advanceClock(minutes * MINUTE_MS)
  return []
}

const actions = {
  'ask for a code': ({ browser, email }: Round) => repeat(1, () => browser.post('/sign-in', { email })),
  'ask in another browser': ({ other, email }: Round) => repeat(1, () => other.post('/sign-in', { email })),
  'ask 19 times': ({ browser, email }: Round) =>
    Promise.all(Array.from({ length: 19 }, () => browser.post('/sign-in', { email }))),
  'enter a wrong code': ({ browser }: Round) => repeat(1, () => browser.post('/sign-in/code', WRONG)),
  'enter five wrong codes': ({ browser }: Round) => repeat(5, () => browser.post('/sign-in/code', WRONG)),
  'enter a wrong code in another browser': ({ other }: Round) =>
    repeat(1, () => other.post('/sign-in/code', WRONG)),
  'wait 9 minutes': wait(9),
  'wait 70 minutes': wait(70),
}
const names = Object.keys(actions) as (keyof typeof actions)[]

/** Everything that a response says, without the random tokens and the real time. */
const contentOf = ({ status, text, headers: { date, 'retry-after': _, ...headers } }: Response) => ({
  status,
  text: status === 429 ? text.replace(/\d+ minutes/, '') : text,
  headers: {
    ...headers,
    'set-cookie': String(headers['set-cookie']).replace(/=[\w.-]+;|Expires=[^;]*/g, ''),
  },
})

async function play(email: string, steps: (keyof typeof actions)[]) {
  await using site = await buildTestApp()
  const other = openBrowser(site.app, { 'User-Agent': firefoxOnWindows })
  const round = { site, email, browser: openBrowser(site.app), other }
  const seen: unknown[] = []
  for (const step of steps) {
    const responses = (await actions[step](round)).map(contentOf)
    seen.push([step, responses.toSorted((one, two) => one.status - two.status)])
  }
  return { seen, emails: (await signInEmails(site)).length }
}

test(`in ${ROUNDS} rounds of random actions, the responses to an owner and to a stranger are the same`, async () => {
  const anySteps = fc.array(fc.constantFrom(...names), { minLength: 3, maxLength: 5 })
  const rounds = fc.sample(anySteps, { numRuns: ROUNDS, seed: 7 })
  let emails = 0

  while (rounds.length > 0)
    await Promise.all(
      rounds.splice(0, AT_ONCE).map(async (steps) => {
        const [owner, stranger] = await Promise.all([play(OWNER, steps), play(STRANGER, steps)])
        expect(owner.seen).toEqual(stranger.seen)
        expect(stranger.emails).toBe(0)
        emails += owner.emails
      }),
    )

  expect(emails).toBeGreaterThan(ROUNDS / 2)
})
