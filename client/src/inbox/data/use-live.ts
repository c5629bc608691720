/**
 * `live`: what the page shows is at most a second old. `saving`: a change has not been confirmed for a second.
 * `connecting`: what it shows may be old. `offline`: the browser has no network.
 */
export type LiveState = 'live' | 'saving' | 'connecting' | 'offline'

/** Keeps the stream of changes open while a component that uses it is mounted and the page is visible. */
export function useLive(): LiveState {
  throw new Error('not built')
}
