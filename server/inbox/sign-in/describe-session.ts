import type { Session } from '#shared/inbox/api.ts'
import type { SessionRow } from '../http/session-of.ts'
import { passkeyHost } from './passkeys/passkey-host.ts'
import { endOf } from './sessions.ts'

/** What the server tells the inbox page about its session. */
export const describeSession = (session: SessionRow, siteUrl: string): Session => ({
  id: session.id,
  owner: session.owner,
  browser: session.browser,
  signedInAt: session.signed_in_at,
  endsAt: endOf(session).toISOString(),
  canUsePasskeys: passkeyHost(siteUrl) !== undefined,
})
