import { useLayoutEffect } from 'react'

const appId = 'inbox'

/** Creates the application's root element. It stays hidden until `useShowApp` shows it. */
export function createAppElement(): HTMLElement {
  const app = Object.assign(document.createElement('div'), { id: appId, hidden: true })
  document.body.append(app)
  return app
}

/** Once `isReady`, replaces the document's initial content with the application, in one frame so that nothing flashes. */
export function useShowApp(isReady = true): void {
  useLayoutEffect(() => {
    const app = document.getElementById(appId)
    if (!isReady || !app?.hidden) return
    document.getElementById('root')?.remove()
    app.hidden = false
  }, [isReady])
}
