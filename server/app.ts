import type { RequestListener } from 'node:http'
import { join } from 'node:path'
import { constants } from 'node:zlib'
import express, { type Request, type RequestHandler, type Response } from 'express'
import type { Logger } from 'pino'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath, inboxPath } from '#shared/inbox/api.ts'
import { pages } from '#shared/pages.ts'
import { applySettings, type PrivacySettings } from './http/apply-settings.ts'
import { forwardedAddresses } from './http/client-address.ts'
import { errorHandler } from './http/error-handler.ts'
import { healthPaths, healthRoutes } from './http/health.ts'
import { loadPages, prepareInboxPage, preparePage, prepareSentPage } from './http/pages.ts'
import { redirects } from './http/redirects.ts'
import { requestLog } from './http/request-log.ts'
import { securityHeaders } from './http/security-headers.ts'
import { siteFiles } from './http/site-files.ts'
import { loadStaticFiles } from './http/static-files.ts'
import { sendContactEmail } from './leads/send-contact-email.ts'
import { Problem } from './problem.ts'

export type AppDeps = {
  log: Logger
  /** The output folder of the build, with `pages/` and `site/`. */
  clientDir: string
  siteUrl: string
  trustProxy: number | string[]
  /** Settings that change the text of the privacy page. */
  privacy: PrivacySettings
  /** Undefined if INBOX=off. */
  inbox?: RequestHandler | undefined
} & Parameters<typeof healthRoutes>[0] &
  Parameters<typeof sendContactEmail>[0]

/** Builds the request handler. The order of the middleware matters. */
export function createApp(deps: AppDeps): RequestListener {
  const { log, clientDir, siteUrl } = deps
  const loaded = loadPages(join(clientDir, 'pages'), siteUrl)
  const headers = securityHeaders({ isHttps: siteUrl.startsWith('https:'), hashes: loaded.hashes })
  const notFound = preparePage(loaded.notFound, 404, headers)
  const prepared = loadStaticFiles(join(clientDir, 'site'), headers)
  const preparePublic = (html: string) => preparePage(html, 200, headers, constants.BROTLI_MAX_QUALITY)
  prepared.set(pages.home, preparePublic(loaded.home))
  prepared.set(pages.privacy, preparePublic(applySettings(loaded.privacy, deps.privacy)))
  // A plan's link selects its budget and shows its prices even without JavaScript.
  for (const budget of Object.keys(budgetTiers)) {
    const page = loaded.home
      .replace(`<option value="${budget}"`, '$& selected')
      .replaceAll(` data-plan="${budget}" hidden=""`, ` data-plan="${budget}"`)
    prepared.set(`${pages.home}?plan=${budget}`, preparePage(page, 200, headers))
  }

  const sentPage = prepareSentPage(loaded.home, headers)
  const inboxPage = deps.inbox && prepareInboxPage(join(clientDir, 'pages'), siteUrl)
  if (!inboxPage)
    for (const path of prepared.keys()) if (path.startsWith('/assets/inbox-')) prepared.delete(path)

  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.set('trust proxy', deps.trustProxy)

  // Prepared responses come first: they already have their headers.
  app.use((request, response, next) => {
    const respond = isGetOrHead(request)
      ? (sentPage(request.url) ??
        prepared.get(request.path) ??
        (isInInbox(request.path) ? inboxPage : undefined))
      : undefined
    if (respond) respond(request, response)
    else next()
  })
  app.use(forwardedAddresses)
  app.use((_request, response, next) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? '')
    next()
  })
  app.use(redirects)
  app.use(siteFiles(siteUrl))
  app.use(requestLog(log, [contactPath, formTokenPath, ...Object.values(healthPaths)]))
  app.use((request, _response, next) => {
    // PostgreSQL accepts no NUL in text. Node refuses one that isn't encoded.
    if (request.url.includes('%00'))
      throw new Problem('invalid_input', 'That address contains a character that cannot be read.')
    next()
  })
  app.use(healthRoutes(deps))
  app.get(formTokenPath, (_request, response) => {
    response.type('text').set('Cache-Control', 'no-store').send(deps.formTokens.issue(deps.now()))
  })
  app.use(exactly(contactPath, sendContactEmail(deps)))
  if (deps.inbox) app.use(deps.inbox)
  app.use(['/assets', '/functions', apiPath], () => {
    throw new Problem('not_found', 'There is nothing at this address.')
  })
  app.use((request, response) => {
    if (isGetOrHead(request)) return notFound(request, response)
    throw new Problem('method_not_allowed', 'This address supports only GET and HEAD.', {
      headers: { Allow: 'GET, HEAD' },
    })
  })
  app.use(errorHandler(log, loaded.style))
  return (incoming, response) => {
    const request = incoming as Request
    // Most requests are for exactly these addresses. With Express, such a response takes a fifth longer.
    const respond = isGetOrHead(request) ? prepared.get(request.url) : undefined
    try {
      if (respond) return respond(request, response)
    } catch {
      // For example, a file that can't be unpacked. Express tries again, logs the error, and responds with 500.
    }
    app(request, response as Response, () => {
      // Express calls this only if it can't parse the URL, such as `http://[::/`.
      request.url = '/unreadable'
      app(request, response as Response)
    })
  }
}

const isGetOrHead = ({ method }: { method: string }) => method === 'GET' || method === 'HEAD'

const isInInbox = (path: string) => path === inboxPath || path.startsWith(`${inboxPath}/`)

/** Matches only this path, with every method. `app.use` would also match everything below it. */
const exactly =
  (path: string, handler: RequestHandler): RequestHandler =>
  (request, response, next) =>
    request.path === path ? handler(request, response, next) : next()
