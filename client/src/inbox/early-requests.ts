/** What first-script.ts passes to the application. */
declare global {
  // Only `var` declares a property of `globalThis`.
  var inboxStart:
    | {
        /** The requests already sent, by URL. */
        requests: Map<string, Promise<Response>>
        /** What followed the # in the URL. It may contain a sign-in code or the secret of a sign-in link. */
        fragment: string
      }
    | undefined
}

/** Takes the request to this address that was sent before the application loaded, if there is one. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const early = globalThis.inboxStart?.requests.get(address)
  globalThis.inboxStart?.requests.delete(address)
  return early
}

/** Drops early requests. Call this when nobody is signed in: the requests were rejected, so their responses are useless. */
export const forgetEarly = (): void => globalThis.inboxStart?.requests.clear()

/** Takes the fragment that the page was opened with. */
export function takeFragment(): string {
  const fragment = globalThis.inboxStart?.fragment ?? ''
  if (globalThis.inboxStart) globalThis.inboxStart.fragment = ''
  return fragment
}
