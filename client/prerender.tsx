import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import { StaticRouter, useRoutes } from 'react-router-dom'
import { pages } from '#shared/pages.ts'
import { pageRoutes } from './src/app.tsx'
import { homeHead, inboxHead, notFoundHead, privacyHead } from './src/content/head.ts'
import { Opening } from './src/inbox/frame/other-pages.tsx'

/** For each page, renders the content of `<head>` and the markup inside the root element. */
export const renderPages = () => [
  { file: 'home.html', head: homeHead(), markup: renderMarkup(pages.home) },
  { file: 'privacy.html', head: privacyHead(), markup: renderMarkup(pages.privacy) },
  { file: 'not-found.html', head: notFoundHead(), markup: renderMarkup('/no-such-page') },
]

/** The same for the inbox, which shows this until its application has loaded. */
export const renderInbox = () => ({
  head: inboxHead(),
  app: renderToStaticMarkup(
    <Opening>
      <noscript>The inbox needs JavaScript. Please turn it on and reload.</noscript>
    </Opening>,
  ),
})

const renderMarkup = (path: string) =>
  renderToString(
    <StaticRouter location={path}>
      <Page />
    </StaticRouter>,
  )

const Page = () => useRoutes(pageRoutes)
