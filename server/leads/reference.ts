import { randomInt } from 'node:crypto'

// Crockford's base 32: no I, L, O or U, so that a reference survives being read out over the phone.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const four = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** What visitor and owner call a lead, such as "Q-7K3M-9QXD": random, so it says nothing about how many there are. */
export const createReference = (): string => `Q-${four()}-${four()}`

/** A reference as people type it ("q7k3m9qxd", an O for a zero), in its own form; undefined where it cannot be one. */
export function readReference(typed: string): string | undefined {
  const letters = typed
    .trim()
    .toUpperCase()
    .replace(/^Q[\s-]+/, '')
    .replace(/[\s-]/g, '')
    .replaceAll('O', '0')
    .replace(/[IL]/g, '1')
  const [, first, last] =
    /^(?:Q(?=.{8}$))?([0-9A-HJKMNP-TV-Z]{4})([0-9A-HJKMNP-TV-Z]{4})$/.exec(letters) ?? []
  return first && last && `Q-${first}-${last}`
}
