import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { pageRoutes } from './src/app.tsx'
import { homeHead, inboxHead, notFoundHead, privacyHead } from './src/content/head.ts'
import { Opening } from './src/inbox/frame/other-pages.tsx'

/** For each page, renders the content of `<head>` and the markup inside the root element. */
export async function renderPages() {
  return [
    { file: 'home.html', head: homeHead(), markup: await renderMarkup(pages.home) },
    { file: 'privacy.html', head: privacyHead(), markup: await renderMarkup(pages.privacy) },
    { file: 'not-found.html', head: notFoundHead(), markup: await renderMarkup('/no-such-page') },
  ]
}

/** The same for the inbox, which shows this until its application has loaded. */
export const renderInbox = () => ({
  head: inboxHead(),
  app: renderToStaticMarkup(
    <Opening>
      <noscript>The inbox needs JavaScript. Please turn it on and reload.</noscript>
    </Opening>,
  ),
})

async function renderMarkup(path: string): Promise<string> {
  const { query, dataRoutes } = createStaticHandler(pageRoutes)
  const context = await query(new Request(`http://prerender.invalid${path}`))
  if (context instanceof Response) throw new Error(`${path} redirects.`)
  const router = createStaticRouter(dataRoutes, context)
  return renderToString(<StaticRouterProvider router={router} context={context} hydrate={false} />)
}
