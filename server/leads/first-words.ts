const FIRST_WORDS = 160

/** The beginning of a text, on one line. Cuts only between code points: half a surrogate pair is an invalid character. */
export function firstWords(text: string): string {
  const letters = [...text.replace(/\s+/g, ' ').trim()]
  return letters.length <= FIRST_WORDS
    ? letters.join('')
    : `${letters.slice(0, FIRST_WORDS).join('').trimEnd()}…`
}
