import { apiPath } from '#shared/inbox/api.ts'
import type { TestApp } from './build-test-app.ts'
import { serve } from './contact.ts'
import type { OwnerBrowser } from './owner-browser.ts'
import { waitUntil } from './wait-until.ts'

/** Serves a test's app, so that its event streams can be read. */
export async function openLive(site: TestApp) {
  const server = await serve(site.app)
  return {
    /** Opens a stream with the session of this browser. */
    async open({ cookies }: OwnerBrowser) {
      const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
      const leaving = new AbortController()
      const response = await fetch(`${server.url}${apiPath}/events`, {
        headers: { Cookie, 'Sec-Fetch-Site': 'same-origin' },
        signal: leaving.signal,
      })
      const { status, headers } = response
      return { status, headers, leave: () => leaving.abort(), ...readEvents(response) }
    },
    async [Symbol.asyncDispose]() {
      site.inbox.stop()
      server[Symbol.dispose]()
    },
  }
}

/** Reads server-sent events until the stream ends. */
function readEvents(response: Response) {
  const events: string[] = []
  const closed = (async () => {
    let rest = ''
    for await (const text of (response.body as ReadableStream).pipeThrough(new TextDecoderStream())) {
      const parts = (rest + text).split('\n\n')
      rest = parts.pop() ?? ''
      events.push(...parts.map((part) => part.match(/^event: (\w+)\ndata: {}$/)?.[1] ?? `broken: ${part}`))
    }
  })().catch(() => {})
  return {
    events,
    closed,
    /**
     * Waits until an event of this name has arrived since the last call, and removes it from
     * `events`.
     */
    async next(event: string) {
      await waitUntil(`a ${event} event`, () => events.includes(event), 5000)
      events.splice(0, events.indexOf(event) + 1)
    },
  }
}
