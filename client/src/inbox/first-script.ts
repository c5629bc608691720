import type { Summary } from '#shared/inbox/api.ts'
import { IN_USE } from '#shared/inbox/headers.ts'
import type { LeadPage, LeadRow } from '#shared/inbox/lead.ts'
import { showFonts } from './fonts.ts'
import bars from './frame/bars.module.css'
import row from './list/lead-row.module.css'
import list from './list/list.module.css'
import { canSendAgain, mailInWords } from './words/mail-words.ts'
import { aboutInWords, linesOf, marksOf } from './words/row-words.ts'

/*
 * Asks for the data of the list, and draws the bar about email and the
 * first rows before the application loads: on a slow phone, the application
 * takes a second longer. Inlined in the document to save a round trip.
 */

declare global {
  /** The requests that were sent before the application loaded, by address. */
  // Only `var` declares a property of `globalThis`.
  var earlyRequests: Map<string, Promise<Response>> | undefined
}

/** The application's URL; client/bundle.ts inserts it. */
declare const APPLICATION: string

// More rows than fit on a screen.
const ROWS = 12
// A slow phone shows a frame only after it has begun the next two.
const FRAMES = 3
// If the server is slower than this, the application loads without waiting for the rows.
const ROWS_TIMEOUT_MS = 1500

const { pathname, search } = location
const view = /[?&]view=([a-z]+)/.exec(search)?.[1] ?? 'open'
// The application replaces it. What comes after that is not drawn: it would stay beside the list.
const topBar = document.getElementById('root')?.firstElementChild

if (pathname === '/inbox') await Promise.race([drawRows().catch(() => {}), wait(ROWS_TIMEOUT_MS)])
await import(APPLICATION).catch(offerReload)

async function drawRows() {
  const fonts = showFonts()
  const [, page, summary] = await Promise.all(['/session', `/leads?view=${view}`, '/summary'].map(ask))
  await fonts
  const { mail }: Summary = summary
  const { leads }: LeadPage = page
  const rows = element('ul', list.rows)
  rows.append(...leads.slice(0, ROWS).map(drawRow))
  topBar?.after(...drawBar(mail), element('div', list.space), rows)
  // Loading the application before the rows are painted would delay
  // them. A hidden page doesn't paint.
  for (let frame = 0; frame < FRAMES; frame++) await new Promise(requestAnimationFrame)
}

/** An inbox on the home screen has no other button for that. */
function offerReload() {
  const again = Object.assign(element('button', '', 'Try again'), { onclick: () => location.reload() })
  topBar?.querySelector('[role=status]')?.replaceChildren('The inbox did not load. ', again)
}

async function ask(path: string) {
  const request = fetch(`/api${path}`, { headers: { [IN_USE]: '1' } })
  globalThis.earlyRequests ??= new Map()
  globalThis.earlyRequests.set(`/api${path}`, request)
  // The application reads the response, too.
  return (await request).clone().json()
}

/** Draws the bar about email as frame/bars.tsx does: otherwise, it would move the rows. */
function drawBar(mail: Summary['mail']): HTMLElement[] {
  if (mail.state === 'ok') return []
  const [title, text] = mailInWords(mail, Date.now())
  const words = element('p')
  words.append(element('strong', '', title), ` ${text}`)
  const bar = element('div', `row ${bars.bar} ${mail.state === 'files' ? '' : bars.trouble}`)
  bar.append(words)
  // It works once the application has loaded.
  if (canSendAgain(mail)) bar.append(Object.assign(element('button', '', 'Send again'), { disabled: true }))
  return [bar]
}

/** Draws a row as lead-row.tsx does, but without times. */
function drawRow(lead: LeadRow): HTMLElement {
  const link = Object.assign(element('a', row.link), { href: `/inbox/${lead.reference}${search}` })
  const facts = element('span', `muted ${row.facts}`)
  facts.append(element('bdi', '', `${aboutInWords(lead)},`))
  link.append(element('span', row.name, lead.name), facts)
  for (const [kind, text] of linesOf(lead))
    link.append(Object.assign(element('span', row[kind], text), { dir: 'auto' }))
  const marks = element('span', row.marks)
  marks.append(...marksOf(lead, Date.now()).map((mark) => element('strong', '', mark)))
  if (marks.hasChildNodes()) link.append(marks)
  const item = element('li', row.row)
  if (lead.isUnread) item.dataset.unread = ''
  item.append(link)
  return item
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, className = '', text = '') {
  const created = document.createElement(name)
  if (className) created.className = className
  created.textContent = text
  return created
}

function wait(ms: number) {
  return new Promise((done) => setTimeout(done, ms))
}
