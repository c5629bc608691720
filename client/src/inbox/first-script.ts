import './early-requests.ts'
import { askEarly } from './ask-early.ts'

/*
 * Runs before the application is there: sends the requests that every page needs, and takes a code out of the address bar.
 * Inlined in the document.
 */

const { hash, pathname, search } = location
if (hash) history.replaceState(history.state, '', pathname + search)

globalThis.inboxStart = { requests: askEarly(pathname, search), fragment: hash.slice(1) }
