import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'
import { inboxPath, session } from '#shared/inbox/api.ts'
import { anything, callApi, post } from './api.ts'
import { forgetTyped, keys, queryClient, refresh } from './queries.ts'

/** Emails a code, if the address is an owner's. */
export async function askForCode(email: string): Promise<void> {
  await post('/sign-in', anything, { email })
}

export const redeemCode = (code: string): Promise<void> => signIn('code', { code })

export const redeemLink = (token: string): Promise<void> => signIn('link', { token })

async function signIn(way: 'code' | 'link' | 'passkey', body: object) {
  queryClient.setQueryData(keys.session, await post(`/sign-in/${way}`, session, body))
  // Earlier requests may have failed because nobody was signed in.
  void refresh()
}

/** What passkeys need, for those who can't use them. */
export const passkeysNeed =
  'Passkeys need a browser that supports them, and localhost or an https address with a domain name, not an IP address.'

/** The browser's own words for a script that is missing are no help. */
const loadLibrary = () =>
  import('@simplewebauthn/browser').catch(() => {
    throw new Error('A part of this page is missing. Check your connection, then reload the page.')
  })

/**
 * Lets the owner choose a passkey in a dialog or, with `isInField`, among what
 * the browser offers for the email field. Throws if the owner chose none.
 */
export async function choosePasskey({ isInField = false } = {}) {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await loadLibrary()
  if (isInField && !(await browserSupportsWebAuthnAutofill())) throw new Error(noPasskey)
  // The browser validates the options.
  const options = await post('/sign-in/passkey/options', anything)
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  return unlessCanceled(startAuthentication({ optionsJSON, useBrowserAutofill: isInField }))
}

export const redeemPasskey = (choice: object): Promise<void> => signIn('passkey', choice)

/** Adds a passkey. Throws if the owner canceled. Requires a recent sign-in. */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await loadLibrary()
  const options = await post('/access/passkeys/options', anything)
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const registration = await unlessCanceled(startRegistration({ optionsJSON }))
  await post('/access/passkeys', anything, { ...registration, name })
}

/**
 * Removes a passkey or signs another device out, such as "sessions/7". Requires a recent sign-in.
 */
export async function endAccess(path: string): Promise<void> {
  await callApi(`/access/${path}`, anything, { method: 'DELETE' })
}

/** Signs out, and loads a new page so that nothing personal stays in memory. */
export async function signOut(): Promise<void> {
  await callApi('/session', anything, { method: 'DELETE' })
  forgetTyped()
  // Messages that this device still shows name people.
  const worker = await navigator.serviceWorker?.getRegistration(inboxPath)
  for (const shown of (await worker?.getNotifications()) ?? []) shown.close()
  location.replace(`${inboxPath}/sign-in`)
}

const noPasskey = 'No passkey was used.'

const unlessCanceled = <Result>(ceremony: Promise<Result>): Promise<Result> =>
  ceremony.catch((error: Error) => {
    throw ['NotAllowedError', 'AbortError'].includes(error.name) ? new Error(noPasskey) : error
  })
