import { useLayoutEffect } from 'react'

const appId = 'inbox'

/** Creates the application's root element, which stays hidden until `useEndOpening`. */
export function createAppElement(): HTMLElement {
  const app = Object.assign(document.createElement('div'), { id: appId, hidden: true })
  document.body.append(app)
  return app
}

/** Replaces what the document showed first with the application, once it is ready, so that nothing flashes or moves. */
export function useEndOpening(isReady = true): void {
  useLayoutEffect(() => {
    const app = document.getElementById(appId)
    if (!isReady || !app?.hidden) return
    document.getElementById('root')?.remove()
    app.hidden = false
  }, [isReady])
}
