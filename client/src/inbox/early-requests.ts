/** What first-script.ts hands to the application. */
declare global {
  // Declared with `var`, or else it would not be a property of `globalThis`.
  var inboxStart:
    | {
        /** Requests that are under way, by URL. */
        requests: Map<string, Promise<Response>>
        /** What followed the # in the URL: a code or a link to sign in with. */
        fragment: string
      }
    | undefined
}

/** The request that was sent before the application was there, once. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const early = globalThis.inboxStart?.requests.get(address)
  globalThis.inboxStart?.requests.delete(address)
  return early
}

/** Early requests of somebody who was not signed in were refused: nobody may read that after signing in. */
export const forgetEarly = (): void => globalThis.inboxStart?.requests.clear()

/** The fragment that the page was opened with, once. */
export function takeFragment(): string {
  const fragment = globalThis.inboxStart?.fragment ?? ''
  if (globalThis.inboxStart) globalThis.inboxStart.fragment = ''
  return fragment
}
