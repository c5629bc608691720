import { setTimeout as sleep } from 'node:timers/promises'
import { openTokenEndpoint } from '../../testing/token-endpoint.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const KILLS = 100
const CONTROL_KILLS = 5
// After its answer, in which the server stores the next token.
const MAX_DELAY_MS = 20

export const tokenCases: FaultCase[] = [
  {
    family: 'tokens',
    fault: `the server is killed ${KILLS} times when it gets an access token, and each time another refresh token`,
    expected: 'the newest refresh token that it has stored is used, and never one before the last',
    run: () => killAtTokens(),
  },
  control({
    what: 'a refresh token is never lost',
    weakness: 'the next refresh token is not stored',
    check: (weakness) => killAtTokens(weakness),
  }),
]

/**
 * What the server has stored about refresh tokens; undefined if there is nothing, or no database
 * yet.
 */
const noteOf = ({ query }: Harness) =>
  query(async ({ db }) => {
    const note = db.selectFrom('settings').select('value').where('name', '=', 'oauth_refresh_token')
    return (await note.executeTakeFirst())?.value
  })

async function killAtTokens(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using endpoint = await openTokenEndpoint({ refreshToken: 'refresh-token-0', keepsLast: true })
  const { state } = endpoint
  const env = {
    // Nobody listens there: only the token matters.
    IMAP_URL: 'imap://user@127.0.0.1:1',
    OAUTH_TOKEN_URL: endpoint.url,
    OAUTH_CLIENT_ID: 'client',
    OAUTH_CLIENT_SECRET: 'client-secret',
    OAUTH_REFRESH_TOKEN: 'refresh-token-0',
  }
  const kills = weakness ? CONTROL_KILLS : KILLS
  let note: string | undefined
  let stored = 0
  let outdated = 0
  let known: string | undefined
  for (let kill = 1; kill <= kills; kill++) {
    const program = harness.launch({ env, weakness })
    await waitUntil('a token was issued', () => state.issued === kill || state.refused > 0)
    if (known !== undefined && state.requests.at(-1)?.body.refresh_token !== known) outdated++
    await sleep(Math.random() * MAX_DELAY_MS)
    await program.stop('SIGKILL')
    const isStored = (await noteOf(harness)) !== note
    if (isStored) stored++
    note = await noteOf(harness)
    known = isStored ? state.refreshToken : known
  }
  const seen = `${state.issued} of ${kills} tokens issued, ${stored} next ones stored before the kill, ${outdated} times an older one used, ${state.refused} refused`
  expectThat(state.issued === kills && state.refused === 0 && outdated === 0 && stored > kills / 10, seen)
  return seen
}
