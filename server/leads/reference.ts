import { randomInt } from 'node:crypto'

// Crockford's base 32: no I, L, O or U, so that a reference survives being read out over the phone.
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const four = () => Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

/** What visitor and owner call a lead, such as "Q-7K3M-9QXD": random, so it says nothing about how many there are. */
export const createReference = (): string => `Q-${four()}-${four()}`
