import { type DomNode, htmlToText } from 'html-to-text'
import type { Email } from 'postal-mime'
import { placeOfNth } from './bound-source.ts'
import { MAX_BYTES, MAX_TAGS } from './limits.ts'
import { wordsIn } from './repeated-lines.ts'

/**
 * Stands for HTML that is nested too deep, too long, or has too many tags. No text has it after it
 * was cleaned.
 */
export const SKIPPED = '\0'

/**
 * The text of a message: the plain one, or what the HTML says, with `>` before quoted lines, if
 * that says more, or has more links. If each says something that the other doesn't, both: one of
 * them may be a stub.
 */
export function readText({ text = '', html }: Email): string {
  if (!html) return text
  const shown = wordsOfHtml(html)
  if (text.trim() === '') return shown
  const plain = text.replace(LINK, ' ')
  const plainWords = wordsIn(plain)
  const shownWords = wordsIn(shown.replace(LINK, ' '))
  const isMany = (count: number) => count > Math.min(FEW, SHARE * plainWords.length)
  const more = countMore(shownWords, plainWords)
  const less = countMore(wordsIn(plain.replace(PICTURE, ' ')), shownWords)
  if (isMany(less)) return more > 0 ? `${text}\n\n${shown}` : text
  const hasAll = less === 0 && (more > 0 || countMore(linksIn(shown), linksIn(text)) > 0)
  return hasAll || isMany(more) ? shown : text
}

const linksIn = (text: string) => (text.match(/https?:[^\s<>]+/g) ?? []).map(shortOf)

// Mail programs put something into only one of the two, such as "[image: logo]".
const LINK = /<[^\s<>]*>|https?:\S+/g
const PICTURE = /\[[^[\]]*\]/g
const FEW = 5
const SHARE = 0.4

/** How many words of a text another one doesn't have, or not as often. */
function countMore(words: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>()
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1)
  return words.filter((word) => {
    const count = left.get(word) ?? 0
    left.set(word, count - 1)
    return count <= 0
  }).length
}

const MAX_DEPTH = 100
const ownLine = { leadingLineBreaks: 1, trailingLineBreaks: 1 }

function wordsOfHtml(html: string): string {
  const end = Math.min(placeOfNth(html, '<', MAX_TAGS), MAX_BYTES)
  const shown = htmlToText(html.slice(0, end), {
    wordwrap: false,
    // Some programs write above or below the body.
    baseElements: { selectors: [] },
    selectors: [
      { selector: 'title', format: 'skip' },
      { selector: 'div[style*="pre-wrap"]', format: 'pre', options: ownLine },
      ...['body', 'tr', 'dt', 'dd', 'center', 'address'].map((selector) => ({
        selector,
        format: 'block',
        options: ownLine,
      })),
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({
        selector,
        options: { uppercase: false },
      })),
      { selector: 'a', format: 'link' },
      { selector: 'img', format: 'emoji' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
    ],
    formatters: {
      emoji({ attribs }, _walk, builder) {
        if (/^\p{Extended_Pictographic}/u.test(attribs.alt ?? '')) builder.addInline(attribs.alt)
      },
      // Not the library's own: within text that keeps its line breaks, that one forgets the
      // brackets.
      link(element, walk, builder) {
        walk(element.children, builder)
        const text = textOf(element, MAX_DEPTH).trim()
        const address = (element.attribs?.href ?? '').replace(/^mailto:/, '')
        if (address === '' || ofPhone.test(address) || shortOf(address) === shortOf(text)) return
        builder.addInline(text ? ` <${address}>` : address, { noWordTransform: true })
      },
      cell(element, walk, builder) {
        walk(element.children, builder)
        const last = element.parent?.children?.findLast(({ type }) => type === 'tag')
        if (element !== last) builder.addInline(' | ')
      },
    },
    limits: { maxDepth: MAX_DEPTH, ellipsis: SKIPPED },
  })
  return end < html.length ? `${shown}${SKIPPED}` : shown
}

const textOf = ({ data = '', children = [] }: DomNode, depth: number): string =>
  depth === 0 ? '' : `${data}${children.map((child) => textOf(child, depth - 1)).join('')}`

/** An address as people write it, to which programs add the rest. */
const shortOf = (address: string) => address.replace(/^https?:\/\//, '').replace(/\/$/, '')

// Apple's phones make links of dates.
const ofPhone = /^x-apple-data-detectors:/
