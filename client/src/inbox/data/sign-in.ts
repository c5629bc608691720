import type { Session } from '#shared/inbox/api.ts'

/** Emails a code, if the address is an owner's. */
export async function askForCode(_email: string): Promise<void> {
  throw new Error('not built')
}

export async function redeemCode(_code: string): Promise<Session> {
  throw new Error('not built')
}

export async function redeemLink(_token: string): Promise<Session> {
  throw new Error('not built')
}

/** `inField`: offers passkeys in the address field (conditional UI) instead of in a dialog. Null: the owner gave up. */
export async function signInWithPasskey(_options: { inField: boolean }): Promise<Session | null> {
  throw new Error('not built')
}

/** Null: the owner gave up. Needs a fresh sign-in: see `ApiError`. */
export async function addPasskey(_name: string): Promise<boolean> {
  throw new Error('not built')
}

export async function removePasskey(_id: string): Promise<void> {
  throw new Error('not built')
}

/** Signs another device out. Needs a fresh sign-in: see `ApiError`. */
export async function endSession(_id: string): Promise<void> {
  throw new Error('not built')
}

export async function signOut(): Promise<void> {
  throw new Error('not built')
}
