import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { colors } from '#facts/colors.ts'
import { colorDeclarations } from './color-declarations.ts'

const pages = join(fileURLToPath(import.meta.resolve('#dist')), 'pages')

/** Minified style sheets shorten colors: `#ffffff` becomes `#fff`. */
const shorten = (color: string) => color.replace(/^#(.)\1(.)\2(.)\3$/, '#$1$2$3')

test.each(['home.html', 'inbox.html'])(
  '%s declares only the colors of both themes, and white for print',
  (page) => {
    const html = readFileSync(join(pages, page), 'utf8')
    const [style = ''] = /<style>.*?<\/style>/s.exec(html) ?? []
    const declared = [...style.matchAll(/--color-[\w-]+:#\w+/g)].map(([declaration]) => declaration)
    const expected = ['light', 'dark', 'footer'].flatMap((set) =>
      colorDeclarations(set).map(([variable, color]) => `${variable}:${shorten(color)}`),
    )
    const forPrint = ['background', 'panel', 'well'].map((name) => `--color-${name}:#fff`)

    expect(new Set(declared)).toEqual(new Set([...expected, ...forPrint]))
    expect(style).not.toContain('@colors')
  },
)

test("the browser's toolbar has the background color of the current theme", () => {
  const html = readFileSync(join(pages, 'home.html'), 'utf8')

  for (const [index, scheme] of ['light', 'dark'].entries())
    expect(html).toContain(
      `<meta name="theme-color" media="(prefers-color-scheme: ${scheme})" content="${colors.background[index]}">`,
    )
})

test('an unknown set of colors in a style sheet is an error', () => {
  expect(() => colorDeclarations('twilight')).toThrow('Unknown colors in a style sheet: twilight')
})
