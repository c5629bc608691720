import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { expect, test } from 'vitest'

type Node = { type: string; start: number; [key: string]: unknown }

const folder = join(import.meta.dirname, 'src')
const components = globSync('{contact,content,pages,sections,ui}/**/*.{ts,tsx}', {
  cwd: folder,
}).filter((file) => !file.includes('.test.'))

const hasWord = /[\p{L}\p{N}]/u
// Two words in a row, unless they are part of a CSS value or an HTML tag.
const hasTwoWords = /(?<![^\s(])[\p{L}'’]{2,}[.,;:!?]? [\p{L}'’]{2,}(?![\w=(-])/u
/** Attributes that people see or hear. */
const spoken = /^(alt|aria-label|aria-description|hint|intro|label|placeholder|title)$/
/** Whether the code is console output or an error, which only developers read. */
const isForDevelopers = (source: string) => /^(console\.|new Error\()/.test(source)

/** Finds text in a component's code that belongs in client/brand/words. */
function findTexts(file: string, source: string): string[] {
  const found: string[] = []
  const visit = (node: Node, isShown: boolean) => {
    const text = textOf(node)
    if (text !== undefined && (hasTwoWords.test(text) || (isShown && hasWord.test(text)))) found.push(text)
    if (isForDevelopers(source.slice(node.start))) return
    if (node.type === 'JSXAttribute' && (node.name as { name: string }).name === 'className') return
    for (const value of Object.values(node))
      for (const child of [value].flat()) if (isNode(child)) visit(child, isShownIn(node, child, isShown))
  }
  visit(parseSync(file, source).program as unknown as Node, false)
  return found
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function textOf({ type, value }: Node): string | undefined {
  if (type === 'TemplateElement') return (value as { cooked: string }).cooked
  return (type === 'Literal' || type === 'JSXText') && typeof value === 'string' ? value : undefined
}

/** Whether visitors see or hear a string in this position: the content of an element, or an attribute such as `alt`. */
function isShownIn(parent: Node, child: Node, isShown: boolean): boolean {
  if (parent.type === 'JSXElement' || parent.type === 'JSXFragment') return child.type !== 'JSXOpeningElement'
  if (parent.type === 'JSXAttribute') return spoken.test((parent.name as { name: string }).name)
  const passesOn = ['JSXExpressionContainer', 'ConditionalExpression', 'LogicalExpression', 'TemplateLiteral']
  return isShown && passesOn.includes(parent.type) && child !== parent.test
}

test.each([
  ['<p>Call us</p>', ['Call us']],
  ['<p>{isOpen ? "Close" : `Open`}</p>', ['Close', 'Open']],
  ['<p>Only {formatMoney(price)}</p>', ['Only ']],
  ['<text>99</text>', ['99']],
  ['<img alt="House" />', ['House']],
  ['notify("We are closed.")', ['We are closed.']],
  ['<Section title={`Reply within 4 hours`} />', ['Reply within 4 hours']],
  ['<p className="two words-here" id="a">{words.intro} {" "}</p>', []],
  ['<p>{state === "open" && words.open}<i className={`a`} /></p>', []],
  ['console.error(`no page at this path`)', []],
])('in %s, findTexts finds %j', (source, texts) => {
  expect(findTexts('sample.tsx', source)).toEqual(texts)
})

test('no component contains text for visitors: all of it is in client/brand', () => {
  const texts = components.flatMap((file) =>
    findTexts(file, readFileSync(join(folder, file), 'utf8')).map((text) => `${file}: ${text}`),
  )

  expect(components.length).toBeGreaterThan(30)
  expect(texts).toEqual([])
})
