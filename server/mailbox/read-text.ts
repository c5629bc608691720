import { htmlToText } from 'html-to-text'
import type { Email } from 'postal-mime'
import { MAX_BYTES, MAX_TAGS } from './limits.ts'
import { wordsIn } from './repeated-lines.ts'

/** Stands for HTML that is nested too deep, or has too many tags. No text has it after it was cleaned. */
export const SKIPPED = '\0'

/**
 * The text of a message: the plain one, or what the HTML says, with `>` before quoted lines, if that says more. If the two say
 * different things, both: one of them may be a stub.
 */
export function readText({ text = '', html }: Email): string {
  if (!html) return text
  const shown = wordsOfHtml(html)
  const [plainWords, shownWords] = [wordsIn(text), wordsIn(shown)]
  const inHtml = new Set(shownWords)
  const isInHtml = plainWords.filter((word) => inHtml.has(word)).length >= MOST * plainWords.length
  if (!isInHtml) return shownWords.length === 0 ? text : `${text}\n\n${shown}`
  return shownWords.length > 2 * plainWords.length ? shown : text
}

// The plain text can have the addresses of links, too.
const MOST = 0.6

function wordsOfHtml(html: string): string {
  const end = endOfTags(html)
  const shown = htmlToText(html.slice(0, end), {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { hideLinkHrefIfSameAsText: true, linkBrackets: ['<', '>'] } },
      { selector: 'img', format: 'skip' },
      { selector: 'td', format: 'cell' },
      { selector: 'th', format: 'cell' },
    ],
    formatters: {
      cell(element, walk, builder) {
        walk(element.children, builder)
        if (element.parent?.children?.at(-1) !== element) builder.addInline(' | ')
      },
    },
    limits: { maxInputLength: MAX_BYTES, maxDepth: 100, ellipsis: SKIPPED },
  })
  return end < html.length ? `${shown}${SKIPPED}` : shown
}

function endOfTags(html: string): number {
  let at = -1
  for (let tags = 0; tags < MAX_TAGS; tags++) {
    at = html.indexOf('<', at + 1)
    if (at < 0) return html.length
  }
  return at
}
