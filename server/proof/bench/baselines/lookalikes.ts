import { contactFields } from '#shared/contact-request.ts'

// Cyrillic and Greek letters, and the Latin letters they look like.
const lookalikes = 'АВЕКМНОРСТУХІЈЅаеорсухіјѕһΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ'
const latin = 'ABEKMHOPCTYXIJSaeopcyxijshABEZHIKMNOPTYXavop'

const anyLookalike = new RegExp(`[${lookalikes}]`, 'g')
// Matches a word that mixes lookalikes with Latin letters, or hides zero-width characters between Latin letters.
const mixedWord = new RegExp(
  `[a-z][${lookalikes}]|[${lookalikes}][a-z]|[a-z][\\u200b-\\u200d\\u2060\\ufeff][a-z]`,
  'i',
)
// Cyrillic and Greek letters that don't look like Latin ones. Text that contains any of them isn't disguised: it's really in
// that script ("PDFка") or contains a unit ("kΩ").
const ownLetters = new RegExp(`(?![${lookalikes}])[\\p{Script=Cyrillic}\\p{Script=Greek}]`, 'u')

/** Whether a text mixes alphabets within words, as spam does to get past filters. */
export const isDisguised = (text: string): boolean => mixedWord.test(text) && !ownLetters.test(text)

const MAX_LENGTH = contactFields.message.maxLength

/** Replaces bold, cursive and lookalike letters with the plain letters that a person reads. */
export function undisguise(text: string): string {
  // Normalizes small parts, because the time grows with the square of the length. Limits the result, because one
  // character can expand to eighteen.
  const plain = text.replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKC')).slice(0, MAX_LENGTH)
  if (!isDisguised(plain)) return plain
  return plain
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(anyLookalike, (letter) => latin[lookalikes.indexOf(letter)] ?? letter)
}
