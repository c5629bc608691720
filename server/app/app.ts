import type { OutgoingHttpHeaders, RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import express, { type Request, type RequestHandler, type Response, Router } from 'express'
import { contactPath, formTokenPath } from '#shared/contact-request.ts'
import { apiPath, manifestPath } from '#shared/inbox/api.ts'
import { pages as pagePaths } from '#shared/pages.ts'
import type { Leads } from '../contact/create-leads.ts'
import type { Context } from '../context.ts'
import { Problem } from '../errors/problem.ts'
import { forwardedAddresses, reportUnknownProxy } from '../http/client-address.ts'
import { errorHandler } from '../http/error-handler.ts'
import { isGetOrHead, preparePages } from '../http/pages.ts'
import { requestLog } from '../http/request-log.ts'
import { compressJson, jsonOnly, OWNERS_BODY_BYTES, ownPagesOnly, readJson } from '../http/requests.ts'
import { siteFiles } from '../http/site-files.ts'
import type { Inbox } from '../inbox/create-inbox.ts'
import { readReference } from '../leads/reference.ts'
import type { Outbox } from './create-outbox.ts'
import { healthChecks } from './health.ts'

type Parts = {
  leads: Leads
  outbox: Pick<Outbox, 'isStalled'>
  /** Undefined if INBOX=off. */
  inbox: Inbox | undefined
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
  const contact = leads.sendContactEmail

  const app = express()
  for (const unwanted of ['x-powered-by', 'etag']) app.disable(unwanted)
  // A route matches only its own spelling. Otherwise, `/healthz/` would be another name of
  // `/healthz`.
  for (const wanted of ['case sensitive routing', 'strict routing']) app.enable(wanted)
  app.set('trust proxy', env.TRUST_PROXY)

  app.use(forwardedAddresses, reportUnknownProxy(log), addHeaders(pages.headers))
  app.use(requestLog(log, [contactPath, formTokenPath, '/healthz', '/healthz/ready', '/healthz/mail']))
  app.use(refuseNul)

  // All other public addresses.
  app.get('/robots.txt', files.robots)
  app.get('/sitemap.xml', files.sitemap)
  app.get('/llms.txt', files.llms)
  app.get('/site.webmanifest', files.manifest)
  if (inbox) app.get(manifestPath, files.inboxManifest)
  app.get('/healthz', health.alive)
  app.get('/healthz/ready', health.ready)
  app.get('/healthz/mail', health.mail)
  app.get(formTokenPath, contact.issueFormToken)
  // Its body has at most 16 KiB, or 48 as a form. The limit on accepted requests is in the
  // transaction that stores a lead.
  app.all(contactPath, contact.handleCors, contact.postOnly, contact.checkOrigin, contact.limitFlood)
  app.post(contactPath, contact.receive)
  if (inbox) app.use(apiPath, inboxRoutes(inbox, siteUrl))

  app.use(['/assets', '/functions', apiPath], refuseUnknown)
  app.use((request, response) => {
    // The router in the browser also accepts other spellings of a page's path, such as `//` and
    // `/Privacy/`.
    const path = `/${request.path.toLowerCase().replaceAll('/', '')}`
    const isPage = Object.values(pagePaths).some((page) => page === path)
    if (isGetOrHead(request.method))
      return isPage ? response.redirect(308, path) : pages.notFound(request, response)
    throw new Problem('method_not_allowed', 'This address supports only GET and HEAD.', {
      headers: { Allow: 'GET, HEAD' },
    })
  })
  app.use(errorHandler(log, pages.style))

  // Pages and files of the site come first, because they already have their headers. With Express,
  // they would take a fifth longer.
  return (request, response) => {
    const page = pages.find(request)
    if (page) return page(request, response)
    // Express has no route for a URL that it can't parse, such as `http://[::/`.
    app(request as Request, response as Response, () => response.writeHead(400, pages.headers).end())
  }
}

/** The addresses of the inbox, below `/api`. */
export function inboxRoutes(inbox: Inbox, siteUrl: string): Router {
  const { signIn, live, push, replies, reads, leads, files, uploads } = inbox
  const { access, requireFresh } = signIn
  const api = Router({ caseSensitive: true, strict: true })
  api.use(addHeaders({ 'Cache-Control': 'no-store' }), compressJson, ownPagesOnly(siteUrl))
  // In any form that a person may type.
  api.param('reference', (request, _response, next, typed) => {
    const reference = readReference(typed)
    if (!reference) throw new Problem('not_found', 'There is no such lead. It may have been erased.')
    request.params.reference = reference
    next()
  })

  // The only body that isn't JSON. A browser asks us before another website can send it, too.
  api.put('/leads/:reference/files/:id', signIn.requireSession, uploads.upload)
  api.use(jsonOnly)

  // Without a session: bodies of at most 16 KiB, and few failed tries.
  api.use('/sign-in', signIn.limitRequests, readJson())
  api.post('/sign-in', signIn.sendCode)
  api.post('/sign-in/code', signIn.redeemCode)
  api.post('/sign-in/link', signIn.redeemLink)
  api.post('/sign-in/passkey/options', signIn.passkeyOptions)
  api.post('/sign-in/passkey', signIn.usePasskey)

  // With a session: bodies of at most 128 KiB.
  api.use(signIn.requireSession, readJson(OWNERS_BODY_BYTES))
  api.get('/session', access.session)
  api.delete('/session', access.signOut)
  api.get('/access', access.list)
  api.delete('/access/sessions/:id', requireFresh, access.endSession)
  api.post('/access/passkeys/options', requireFresh, access.passkeyOptions)
  api.post('/access/passkeys', requireFresh, access.addPasskey)
  api.delete('/access/passkeys/:id', requireFresh, access.removePasskey)
  api.get('/events', live.events)
  api.get('/replies', replies.read)
  api.put('/replies', replies.save)
  api.get('/push', push.state)
  api.put('/push', requireFresh, push.turnOn)
  api.put('/push/renewed', push.renew)
  api.delete('/push', push.turnOff)

  api.get('/leads', reads.list)
  // A POST request, because proxies log URLs, and logs must not contain names or phone numbers.
  api.post('/leads/search', reads.search)
  api.get('/leads/:reference', reads.lead)
  api.get('/leads/:reference/events', reads.events)
  api.get('/leads/:reference/events/:event/files/:index', files.read)
  api.get('/leads/:reference/person', requireFresh, reads.person)
  api.get('/summary', reads.summary)
  api.get('/figures', reads.figures)
  api.get('/export', requireFresh, reads.export)

  for (const name of ['state', 'result', 'nothing-to-answer', 'follow-up', 'undo'] as const)
    api.post(`/leads/${name}`, leads.change(name))
  api.post('/leads/:reference/notes', leads.note)
  api.post('/leads/:reference/notes/:key/undo', leads.undoNote)
  api.post('/leads/:reference/answers', leads.answer)
  api.post('/leads/:reference/answers/:key/undo', leads.undoAnswer)
  api.put('/leads/:reference/draft', leads.draft)
  api.delete('/leads/:reference/files/:id', uploads.remove)
  api.post('/leads/:reference/seen', leads.seen)
  api.post('/leads/:reference/erase', requireFresh, leads.erase)
  api.post('/mail/resend', leads.resendFailed)
  api.use(refuseUnknown)
  return api
}

const refuseUnknown: RequestHandler = () => {
  throw new Problem(
    'not_found',
    'There is nothing at this address. Please reload the page: it may be out of date.',
  )
}

const addHeaders =
  (headers: OutgoingHttpHeaders): RequestHandler =>
  (_request, response, next) => {
    response.set(headers)
    next()
  }

/** PostgreSQL accepts no NUL in text. Node refuses one that isn't encoded. */
const refuseNul: RequestHandler = ({ url }, _response, next) => {
  if (url.includes('%00'))
    throw new Problem('invalid_input', 'That address contains a character that cannot be read.')
  next()
}
