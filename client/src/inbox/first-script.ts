import './early-requests.ts'
import { askEarly } from './ask-early.ts'
import { drawFirstRows } from './first-rows.ts'

/** The application's URL; client/build-inbox.ts inserts it. */
declare const APPLICATION: string

/*
 * Takes the fragment out of the URL (it may contain a sign-in code), sends the API requests that the page needs, draws the
 * first rows, and then loads the application. Inlined in the document to save a round trip.
 */

// If the server is slower than this, the application loads without waiting for the rows.
const ROWS_TIMEOUT_MS = 1500

const { hash, pathname, search } = location
if (hash) history.replaceState(history.state, '', pathname + search)

const requests = askEarly(pathname, search)
globalThis.inboxStart = { requests, fragment: hash.slice(1) }

const isList = pathname === '/inbox'
if (isList) await Promise.race([paintRows().catch(() => {}), wait(ROWS_TIMEOUT_MS)])
await import(APPLICATION)

/** Resolves when the rows are painted. Before that, loading the application would delay the rows' data. */
async function paintRows() {
  const [, leads, summary] = requests.values()
  await drawFirstRows([leads, summary], search)
  // A hidden page doesn't paint: in that case, the application loads after `ROWS_TIMEOUT_MS`.
  await new Promise(requestAnimationFrame)
  await wait(0)
}

function wait(ms: number) {
  return new Promise((done) => setTimeout(done, ms))
}
