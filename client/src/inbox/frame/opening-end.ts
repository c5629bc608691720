import { useLayoutEffect } from 'react'

const appId = 'inbox'

/** Where the application draws, unseen until `useEndOpening`. */
export function createAppElement(): HTMLElement {
  const app = Object.assign(document.createElement('div'), { id: appId, hidden: true })
  document.body.append(app)
  return app
}

/** Shows the page instead of what the document showed first, once there is something to show: so nothing flashes or moves. */
export function useEndOpening(isReady = true): void {
  useLayoutEffect(() => {
    const app = document.getElementById(appId)
    if (!isReady || !app?.hidden) return
    document.getElementById('root')?.remove()
    app.hidden = false
  }, [isReady])
}
