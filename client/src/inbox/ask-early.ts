import { IN_USE } from '#shared/inbox/in-use.ts'

/**
 * Sends the API requests that the page at this URL needs, before the application has loaded. The paths must match those in
 * data/queries.ts. They are repeated here because importing shared/inbox/api.ts would add zod to this inlined script.
 */
export function askEarly(pathname: string, search: string): Map<string, Promise<Response>> {
  const [, , page = ''] = pathname.split('/')
  if (page === 'sign-in') return send(['/api/session'])
  if (page === 'figures' || page === 'access') return send(['/api/session', '/api/summary', `/api/${page}`])
  const view = /[?&]view=([a-z]+)/.exec(search)?.[1] ?? 'open'
  const lists = ['/api/session', `/api/leads?view=${view}`, '/api/summary']
  return send(/^Q-[0-9A-Z]{4}-[0-9A-Z]{4}$/.test(page) ? [`/api/leads/${page}`, ...lists] : lists)
}

const send = (addresses: string[]) => new Map(addresses.map((address) => [address, ask(address)]))

function ask(address: string): Promise<Response> {
  const request = fetch(address, { headers: { [IN_USE]: '1' } })
  // Prevents an unhandled rejection; the application reports failures.
  request.catch(() => {})
  return request
}
