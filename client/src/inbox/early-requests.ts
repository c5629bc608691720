/** What first-script.ts hands to the application. */
declare global {
  interface Window {
    inbox?: {
      /** Responses that are under way, by address. */
      requests: Map<string, Promise<Response>>
      /** What followed the # in the address: a code or a link to sign in with. */
      fragment: string
    }
  }
}

/** The request that was sent before the application was there, once. */
export function takeEarly(address: string): Promise<Response> | undefined {
  const early = window.inbox?.requests.get(address)
  window.inbox?.requests.delete(address)
  return early
}

/** Early requests of somebody who was not signed in were refused: nobody may read that after signing in. */
export const forgetEarly = (): void => window.inbox?.requests.clear()

/** The fragment that the page was opened with, once. */
export function takeFragment(): string {
  const fragment = window.inbox?.fragment ?? ''
  if (window.inbox) window.inbox.fragment = ''
  return fragment
}
