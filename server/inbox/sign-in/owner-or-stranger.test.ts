import { expect, test } from 'vitest'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { firefoxOnWindows, openBrowser, signInEmails } from '../../proof/testing/owner-browser.ts'

const [OWNER, STRANGER] = ['owner@agency.example', 'abcde@example.com.au']
const steps = 'ask, ask elsewhere, ask 19 times, guess, guess 5 times, guess elsewhere, wait'.split(', ')
type Response = Awaited<ReturnType<ReturnType<typeof openBrowser>['post']>>

/** Everything that a response says, without the random tokens and the real time. */
const contentOf = ({ status, text, headers: { date, 'retry-after': _, ...headers } }: Response) => ({
  status,
  text: status === 429 ? text.replace(/\d+ minutes/, '') : text,
  headers: {
    ...headers,
    'set-cookie': String(headers['set-cookie']).replace(/=[\w.-]+;|Expires=[^;]*/g, ''),
  },
})

async function play(email: string, names: readonly string[]) {
  await using site = await buildTestApp()
  const [here, elsewhere] = [openBrowser(site.app), openBrowser(site.app, { 'User-Agent': firefoxOnWindows })]
  const seen: object[] = []
  for (const name of names) {
    const browser = name.endsWith('elsewhere') ? elsewhere : here
    const send = () =>
      name.startsWith('ask')
        ? browser.post('/sign-in', { email })
        : browser.post('/sign-in/code', { code: 'AAAA-AAAA' })
    if (name === 'wait') site.advanceClock(9 * 60_000)
    else
      for (let count = Number(/\d+/.exec(name) ?? 1); count > 0; count--) seen.push(contentOf(await send()))
  }
  return { seen, emails: (await signInEmails(site)).length }
}

// Each step comes before and after each other one.
test.each([steps, steps.toReversed()])(
  'the responses to an owner and to a stranger are the same: %s, %s, %s...',
  async (...names) => {
    const [owner, stranger] = await Promise.all([play(OWNER, names), play(STRANGER, names)])

    expect(owner.seen).toEqual(stranger.seen)
    expect([owner.emails > 0, stranger.emails]).toEqual([true, 0])
  },
)
