import type { Session } from '#shared/inbox/api.ts'

export type SessionState =
  | { is: 'loading' }
  | { is: 'signed-in'; session: Session /** It ends within three checks. */; isEnding: boolean }
  /** Never signed in, or the session has ended. Keep what is typed. */
  | { is: 'signed-out' }

/** Who is signed in. Checks every 30 s while the page is visible. */
export function useSession(): SessionState {
  throw new Error('not built')
}
