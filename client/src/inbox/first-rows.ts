import type { Summary } from '#shared/inbox/api.ts'
import type { LeadPage, LeadRow } from '#shared/inbox/lead.ts'
import bars from './frame/bars.module.css'
import list from './list/lead-list.module.css'
import styles from './list/lead-row.module.css'
import { troubleInRow } from './words/lead-words.ts'
import { canSendAgain, mailInWords } from './words/mail-words.ts'
import { planName } from './words/plan-name.ts'

// More rows than fit on a screen. The application draws the rest.
const ROWS = 12

/**
 * Draws the mail bar and the first rows, as mail-bar.tsx and lead-row.tsx do, but without waiting for the application. This
 * way, a slow phone shows them a second earlier.
 */
export async function drawFirstRows(
  requests: (Promise<Response> | undefined)[],
  search: string,
): Promise<void> {
  const responses = await Promise.all(requests)
  if (!responses.every((response) => response?.ok)) return
  // Clones the responses, because the application reads them too.
  const [page, summary] = await Promise.all(responses.map((response) => response?.clone().json()))
  const { leads }: LeadPage = page
  const { mail }: Summary = summary
  const rows = element('ul', list.rows)
  rows.append(...leads.slice(0, ROWS).map((row) => drawRow(row, search)))
  document.getElementById('root')?.append(...drawMailBar(mail), element('div', list.space), rows)
}

function drawMailBar(mail: Summary['mail']): HTMLElement[] {
  if (mail.state === 'ok') return []
  const [title, text] = mailInWords(mail, Date.now())
  const bar = element('div', `${bars.bar} ${mail.state === 'files' ? '' : bars.trouble}`)
  const words = element('p', '')
  words.append(element('strong', '', title), ` ${text}`)
  bar.append(words)
  // The button works only once the application has loaded. It is drawn now so that the rows below don't move later.
  if (canSendAgain(mail)) bar.append(Object.assign(element('button', '', 'Send again'), { disabled: true }))
  return [bar]
}

function drawRow(lead: LeadRow, search: string): HTMLElement {
  const { reference, name, budget, firstWords } = lead
  const trouble = troubleInRow(lead, Date.now())
  const row = element('li', styles.row)
  const link = Object.assign(element('a', styles.link), { href: `/inbox/${reference}${search}` })
  const words = element('span', trouble ? styles.trouble : styles.words, trouble ?? firstWords)
  link.append(
    element('span', styles.name, name),
    element('span', styles.facts, planName(budget)),
    Object.assign(words, { dir: 'auto' }),
  )
  row.append(link)
  return row
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string | undefined,
  text = '',
): HTMLElementTagNameMap[Name] {
  return Object.assign(document.createElement(name), { className: className ?? '', textContent: text })
}
