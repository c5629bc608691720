import './early-requests.ts'
import { askEarly } from './ask-early.ts'
import { drawFirstRows } from './first-rows.ts'

/** The application's URL; client/build-inbox.ts inserts it. */
declare const APPLICATION: string

/*
 * Sends the requests that the page needs, takes a code out of the address bar, draws the first rows, then loads the
 * application. Inlined in the document to save a round trip.
 */

// If the server is slow, the application says so.
const ROWS_TIMEOUT_MS = 1500

const { hash, pathname, search } = location
if (hash) history.replaceState(history.state, '', pathname + search)

const requests = askEarly(pathname, search)
globalThis.inboxStart = { requests, fragment: hash.slice(1) }

const isList = pathname === '/inbox'
if (isList) await Promise.race([paintRows().catch(() => {}), wait(ROWS_TIMEOUT_MS)])
await import(APPLICATION)

/** The application would compete with the rows for bandwidth, so it waits until they are painted. */
async function paintRows() {
  const [, leads, summary] = requests.values()
  await drawFirstRows([leads, summary], search)
  // A hidden page paints nothing: see the timeout.
  await new Promise(requestAnimationFrame)
  await wait(0)
}

function wait(ms: number) {
  return new Promise((done) => setTimeout(done, ms))
}
