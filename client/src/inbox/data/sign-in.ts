import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { inboxPath, type Session, session } from '#shared/inbox/api.ts'
import { anything, callApi } from './api.ts'
import { keys, queryClient } from './query-client.ts'
import { fetchPersonal, noteOwner } from './session-owner.ts'

/** Emails a code, if the address is an owner's. */
export async function askForCode(email: string): Promise<void> {
  await callApi('/sign-in', anything, { method: 'POST', body: { email } })
}

export const redeemCode = async (code: string): Promise<Session> =>
  adopt(await callApi('/sign-in/code', session, { method: 'POST', body: { code } }))

export const redeemLink = async (token: string): Promise<Session> =>
  adopt(await callApi('/sign-in/link', session, { method: 'POST', body: { token } }))

/**
 * Lets the owner choose a passkey in a dialog or, with `isAutofill`, in the email field. Returns null if the owner
 * canceled or the browser can't offer passkeys in a field.
 */
export async function choosePasskey({ isAutofill }: { isAutofill: boolean }) {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await import('@simplewebauthn/browser')
  if (isAutofill && !(await browserSupportsWebAuthnAutofill())) return null
  const optionsJSON = await callApi('/sign-in/passkey/options', requestOptions, { method: 'POST' })
  return unlessCanceled(startAuthentication({ optionsJSON, useBrowserAutofill: isAutofill }))
}

export const redeemPasskey = async (choice: object): Promise<Session> =>
  adopt(await callApi('/sign-in/passkey', session, { method: 'POST', body: choice }))

/** Adds a passkey. Returns false if the owner canceled. Requires a recent sign-in: see `ApiError.needsFreshSignIn`. */
export async function addPasskey(name: string): Promise<boolean> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await callApi('/access/passkeys/options', creationOptions, { method: 'POST' })
  const registration = await unlessCanceled(startRegistration({ optionsJSON }))
  if (!registration) return false
  await callApi('/access/passkeys', anything, { method: 'POST', body: { ...registration, name } })
  await readAccessAgain()
  return true
}

export const removePasskey = (id: string): Promise<void> =>
  remove(`/access/passkeys/${encodeURIComponent(id)}`)

/** Signs another device out. Requires a recent sign-in: see `ApiError.needsFreshSignIn`. */
export const endSession = (id: string): Promise<void> => remove(`/access/sessions/${encodeURIComponent(id)}`)

/** Signs out, and loads a new page so that nothing personal stays in memory. */
export async function signOut(): Promise<void> {
  await callApi('/session', anything, { method: 'DELETE' })
  location.replace(`${inboxPath}/sign-in`)
}

async function adopt(found: Session): Promise<Session> {
  noteOwner(found.owner)
  queryClient.setQueryData(keys.session, found)
  void fetchPersonal()
  return found
}

async function remove(path: string): Promise<void> {
  await callApi(path, anything, { method: 'DELETE' })
  await readAccessAgain()
}

const readAccessAgain = () => queryClient.invalidateQueries({ queryKey: keys.access })

async function unlessCanceled<Result>(ceremony: Promise<Result>): Promise<Result | null> {
  try {
    return await ceremony
  } catch (error) {
    const { name } = Object(error)
    if (name === 'NotAllowedError' || name === 'AbortError') return null
    throw error
  }
}

// These schemas check nothing, because the browser validates the options.
const requestOptions = { parse: (value: unknown) => value as PublicKeyCredentialRequestOptionsJSON }
const creationOptions = { parse: (value: unknown) => value as PublicKeyCredentialCreationOptionsJSON }
