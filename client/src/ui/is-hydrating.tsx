import { createContext, type ReactNode, useState, useSyncExternalStore } from 'react'

/**
 * True for a page that attaches itself to the prerendered document, and while prerendering. False if React renders the page
 * from scratch, which it does if something else, such as a password manager or a translator, has changed the document.
 */
export const IsHydrating = createContext(true)

const neverChanges = () => () => {}

export function ProvideIsHydrating({ children }: { children: ReactNode }) {
  const isNow = useSyncExternalStore(
    neverChanges,
    () => false,
    () => true,
  )
  const [wasAtFirst] = useState(isNow)
  return <IsHydrating value={wasAtFirst}>{children}</IsHydrating>
}
