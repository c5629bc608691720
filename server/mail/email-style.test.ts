import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { emailColors } from './email-style.ts'

const tokens = readFileSync(join(import.meta.dirname, '../../client/src/styles/tokens.css'), 'utf8')

test.each(Object.entries(emailColors))(
  'the color "%s" is the same in emails as on the page',
  (name, colors) => {
    const raw = [...tokens.matchAll(new RegExp(`--color-${name}: var\\((--[\\w-]+)\\)`, 'g'))]
      .slice(0, 2)
      // tokens.css begins with the dark theme.
      .reverse()
      .map(([, value]) => new RegExp(`${value}: (#\\w+);`).exec(tokens)?.[1])

    expect(colors).toEqual(raw)
  },
)
