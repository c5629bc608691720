import { contactFields } from '#shared/contact-request.ts'

// Cyrillic and Greek letters, and the Latin ones they pass for.
const lookalikes = 'АВЕКМНОРСТУХІЈЅаеорсухіјѕһΑΒΕΖΗΙΚΜΝΟΡΤΥΧανορ'
const latin = 'ABEKMHOPCTYXIJSaeopcyxijshABEZHIKMNOPTYXavop'

const anyLookalike = new RegExp(`[${lookalikes}]`, 'g')
// A word that mixes them with Latin letters, or hides marks without width between those (elsewhere they are spelling).
const mixedWord = new RegExp(
  `[a-z][${lookalikes}]|[${lookalikes}][a-z]|[a-z][\\u200b-\\u200d\\u2060\\ufeff][a-z]`,
  'i',
)
// Letters of these alphabets that resemble nothing: whoever uses them writes the language ("PDFка"), or units ("kΩ").
const ownLetters = new RegExp(`(?![${lookalikes}])[\\p{Script=Cyrillic}\\p{Script=Greek}]`, 'u')

/** Whether words mix alphabets, so that people read them and filters do not. */
export const isDisguised = (text: string): boolean => mixedWord.test(text) && !ownLetters.test(text)

const MOST_READ = contactFields.message.maxLength

/** The text as a person reads it: bold or curly letters, which are characters of their own, are plain ones. */
export function undisguise(text: string): string {
  // In small parts, because sorting marks takes the square of their number; cut, because a character can become eighteen.
  const plain = text.replace(/[^\0-\x7f]{1,32}/gu, (part) => part.normalize('NFKC')).slice(0, MOST_READ)
  if (!isDisguised(plain)) return plain
  return plain
    .replace(/[\u200b-\u200d\u2060\ufeff]/g, '')
    .replace(anyLookalike, (letter) => latin[lookalikes.indexOf(letter)] ?? letter)
}
