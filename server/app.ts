import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response } from 'express'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import type { Context } from './context.ts'
import type { Outbox } from './create-outbox.ts'
import { forwardedAddresses } from './http/client-address.ts'
import { errorHandler } from './http/error-handler.ts'
import { healthChecks } from './http/health.ts'
import { isGetOrHead, preparePages } from './http/pages.ts'
import { redirects } from './http/redirects.ts'
import { requestLog } from './http/request-log.ts'
import { siteFiles } from './http/site-files.ts'
import type { Leads } from './leads/create-leads.ts'
import { Problem } from './problem.ts'

type Parts = {
  leads: Leads
  outbox: Pick<Outbox, 'isStalled' | 'waitingSince'>
  /** Undefined if INBOX=off. */
  inbox: { routes: RequestHandler } | undefined
  /** The output folder of the build. */
  clientDir?: string
}
const built = import.meta.resolve('#dist')

/** Builds the request handler. The order matters. */
export function createApp(context: Context, { leads, outbox, inbox, clientDir }: Parts): RequestListener {
  const { log, env, siteUrl } = context
  const pages = preparePages({
    clientDir: clientDir ?? fileURLToPath(built),
    siteUrl,
    privacy: { retentionDays: env.RETENTION_DAYS, postsLeads: env.webhook !== undefined },
    hasInbox: inbox !== undefined,
  })
  const files = siteFiles(siteUrl)
  const health = healthChecks({ ...context, ...outbox })

  const app = express()
  for (const unwanted of ['x-powered-by', 'etag']) app.disable(unwanted)
  // A route matches only its own spelling: without this, `/healthz/` would be another name of `/healthz`.
  for (const exact of ['case sensitive routing', 'strict routing']) app.enable(exact)
  app.set('trust proxy', env.TRUST_PROXY)

  // Pages and the files of the site come first, because they already have their headers.
  app.use((request, response, next) => {
    const page = pages.find(request)
    if (page) page(request, response)
    else next()
  })
  app.use(forwardedAddresses, addHeaders(pages.headers), redirects)
  app.use(requestLog(log, [contactPath, formTokenPath, '/healthz', '/healthz/ready', '/healthz/mail']))
  app.use(refuseNul)

  // All other public addresses.
  app.get('/robots.txt', files.robots)
  app.get('/sitemap.xml', files.sitemap)
  app.get('/llms.txt', files.llms)
  app.get('/site.webmanifest', files.manifest)
  app.get('/healthz', health.alive)
  app.get('/healthz/ready', health.ready)
  app.get('/healthz/mail', health.mail)
  app.get(formTokenPath, leads.issueFormToken)
  app.all(contactPath, leads.sendContactEmail)
  if (inbox) app.use(inbox.routes)

  app.use(['/assets', '/functions', apiPath], () => {
    throw new Problem('not_found', 'There is nothing at this address.')
  })
  app.use((request, response) => {
    if (isGetOrHead(request.method)) return pages.notFound(request, response)
    throw new Problem('method_not_allowed', 'This address supports only GET and HEAD.', {
      headers: { Allow: 'GET, HEAD' },
    })
  })
  app.use(errorHandler(log, pages.style))

  return (incoming, response) => {
    const request = incoming as Request
    // Most requests are for exactly the address of a page or file. With Express, such a response takes a fifth longer.
    const page = pages.find({ method: request.method, url: request.url })
    try {
      if (page) return page(request, response)
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

const addHeaders =
  (headers: OutgoingHttpHeaders): RequestHandler =>
  (_request, response, next) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? '')
    next()
  }

/** PostgreSQL accepts no NUL in text. Node refuses one that isn't encoded. */
const refuseNul: RequestHandler = ({ url }, _response, next) => {
  if (url.includes('%00'))
    throw new Problem('invalid_input', 'That address contains a character that cannot be read.')
  next()
}
