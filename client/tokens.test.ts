import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { themeColors } from '#shared/theme-colors.ts'

const tokens = readFileSync(join(import.meta.dirname, 'src/styles/tokens.css'), 'utf8')

test('the colors for the browser interface match tokens.css', () => {
  const names = [...tokens.matchAll(/--color-background: var\((--[\w-]+)\)/g)].map(([, name]) => name)
  const [dark, light] = names.map((name) => new RegExp(`${name}: (#\\w+);`).exec(tokens)?.[1])

  expect({ light, dark }).toEqual(themeColors)
})
