import { english } from '#shared/computed-facts.ts'
import { darkStyle, type Look, look } from './email-style.ts'
import { html, SafeHtml } from './html.ts'
import type { Message } from './mailer.ts'

/** A part of an email, as plain text and as HTML. */
export type EmailPart = { text: string; html: SafeHtml }
export type Link = { label: string; url: string }

type Content = {
  /** The title of the HTML document. Email programs don't show it. */
  title: string
  parts: readonly EmailPart[]
  /**
   * What is only for the reader. In the plain text, it stands below the signature line, which email
   * programs leave out when they quote; others quote it, so whoever gets a reply may read it.
   */
  below?: readonly EmailPart[]
  /** Lines in small print. A line that is only a URL becomes a link. */
  footer?: readonly string[]
}

/** The two bodies of an email. All emails have the same layout and load no remote content. */
export const emailBody = ({
  title,
  parts,
  below = [],
  footer = [],
}: Content): Pick<Message, 'text' | 'html'> => ({
  text: [
    parts.map(({ text }) => text).join('\n\n'),
    ...(below.length + footer.length > 0 ? ['', '-- ', ...below.map(({ text }) => text), ...footer] : []),
    '',
  ].join('\n'),
  html: html`<!doctype html>
<html lang="${english}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
${darkStyle}
}
</style>
</head>
<body ${look('body')}>
<div ${look('page')}>
<div role="main" ${look('sheet')}>
<div aria-hidden="true"><div ${look('string')}></div><div ${look('head')}></div><div ${look('bob')}></div><div ${look('tip')}></div></div>
${[...parts, ...below].map((part) => part.html)}
${footer.length > 0 ? html`<p ${look('footer')}>${footer.map(footerLine)}</p>` : ''}
</div>
</div>
</body>
</html>
`.toString(),
})

const footerLine = (line: string, index: number) =>
  html`${index > 0 ? html`<br>` : ''}${/^https?:\S+$/.test(line) ? html`<a href="${line}" ${look('link')}>${line}</a>` : line}`

const block = (tag: 'h1' | 'h2' | 'p' | 'div', kind: Look, text: string): EmailPart => ({
  text,
  html: html`<${new SafeHtml(tag)} dir="auto" ${look(kind)}>${text}</${new SafeHtml(tag)}>\n`,
})

export const heading = (text: string): EmailPart => block('h1', 'heading', text)

/** A heading of a part. The kind `warning` is for something that needs action. */
export const subheading = (text: string, kind: 'subheading' | 'warning' = 'subheading'): EmailPart => ({
  ...block('h2', kind, text),
  text: `${text}:`,
})

export const paragraph = (text: string, kind: 'paragraph' | 'strong' | 'quiet' = 'paragraph'): EmailPart =>
  block('p', kind, text)

/** Indents visitors' text in the plain text, because otherwise it could imitate our own links. */
export const indented = (part: EmailPart): EmailPart => ({
  ...part,
  text: part.text.replace(/^(?=.)/gm, '  '),
})

/** Text that keeps its line breaks. The kind `words` has larger print. */
export const writing = (text: string, kind: 'words' | 'letter'): EmailPart => block('div', kind, text)

/** A sign-in code, large enough to be read from a distance. */
export const code = (text: string): EmailPart => block('p', 'code', text)

/**
 * A quotation, after a line that says who wrote it. Email programs recognize the `>` in the plain
 * text.
 */
export const quotation = (introduction: string, text: string): EmailPart => ({
  text: [introduction, text.replace(/^/gm, '> ').replace(/^> $/gm, '>')].join('\n'),
  html: html`<p dir="auto" ${look('quiet')}>${introduction}</p>
<blockquote dir="auto" ${look('quote')}>${text}</blockquote>\n`,
})

/**
 * Links that are large enough to tap with a thumb. The first one is filled; the others are
 * outlined.
 */
export const buttons = (links: readonly Link[]): EmailPart => ({
  text: links.map(({ label, url }) => `${label}: ${url}`).join('\n'),
  html: html`<div ${look('links')}>${links.map((link, index) => button(link, index === 0 ? 'filled' : 'outlined'))}</div>\n`,
})

// Classic Outlook puts the tables below each other, without a gap unless there is a line between
// them.
const button = ({ label, url }: Link, kind: 'filled' | 'outlined') => html`
<table role="presentation" cellspacing="0" cellpadding="0" border="0" ${look('button')}><tr><td ${look(kind)}>
<a href="${url}" ${look(`${kind}-link`)}>${label}</a></td></tr></table>
<!--[if mso]><br><![endif]-->`

export const bullets = (lines: readonly string[]): EmailPart => ({
  text: lines.map((line) => `- ${line}`).join('\n'),
  html: html`<ul ${look('list')}>${lines.map((line) => html`<li ${look('item')}>${line}</li>`)}</ul>\n`,
})

/** A person in a list. `url` is the link to the lead. */
export type ListedPerson = {
  name: string
  url?: string | undefined
  standing?: { words: string; isLate: boolean } | undefined
  details: string
  /** What the person or an owner wrote. */
  words?: string
  /** What follows the words. */
  more?: string
  /** What can be done about it. */
  links?: readonly Link[]
}

/**
 * A list of people. A name with a `url` is a link. No name begins a line, because it could read
 * like a line of ours.
 */
export const people = (list: readonly ListedPerson[]): EmailPart => ({
  text: list
    .map(({ name, url, standing, details, words, more, links = [] }) =>
      [
        name,
        [standing?.words, details].filter(Boolean).join('. '),
        [words && `“${words}”`, more].filter(Boolean).join(' '),
        links.length === 0 && url,
        ...links.map((link) => `${link.label}: ${link.url}`),
      ]
        .filter(Boolean)
        .map((line, index) => `${index > 0 ? '  ' : '- '}${line}`)
        .join('\n'),
    )
    .join('\n\n'),
  html: html`<ul ${look('people')}>${list.map(personHtml)}\n</ul>\n`,
})

const personHtml = ({ name, url, standing, details, words, more, links = [] }: ListedPerson) =>
  html`\n<li ${look('person')}>${
    url
      ? html`<a href="${url}" dir="auto" ${look('name')}>${name}</a>`
      : html`<strong dir="auto" ${look('name')}>${name}</strong>`
  }${standing ? html`<br><span ${look(standing.isLate ? 'late' : 'calm')}>${standing.words}</span>` : ''}${
    details ? html`<br><span dir="auto" ${look('details')}>${details}</span>` : ''
  }${words ? html`<br><span dir="auto" ${look('said')}>“${words}”</span>` : ''}${
    more ? html` <span dir="auto" ${look('details')}>${more}</span>` : ''
  }${links.length > 0 ? html`<br>${links.map((link) => choice(link))}` : ''}</li>`

const choice = ({ label, url }: Link) => html`<a href="${url}" dir="auto" ${look('choice')}>${label}</a>\n`

export function facts(rows: readonly (readonly [label: string, value: string])[]): EmailPart {
  const width = Math.max(...rows.map(([label]) => label.length)) + 1
  return {
    text: rows.map(([label, value]) => `${`${label}:`.padEnd(width)} ${value}`).join('\n'),
    html: html`<table ${look('facts')}>${rows.map(
      ([label, value]) =>
        html`\n<tr><th scope="row" ${look('label')}>${label}</th><td dir="auto" ${look('value')}>${value}</td></tr>`,
    )}\n</table>\n`,
  }
}
