const MAX_LENGTH = 30

// Scripts in which no letter looks like a dot, colon or slash, so a name can't look like a URL.
const plainScripts = 'Greek Cyrillic Armenian Hebrew Georgian Ethiopic Thai Lao Hangul'.split(' ')
// Scripts in which zero-width joiners are normal.
const joiningScripts =
  'Arabic Syriac Devanagari Bengali Gurmukhi Gujarati Tamil Telugu Kannada Malayalam Sinhala Khmer Myanmar'.split(
    ' ',
  )

const lettersOf = (script: string) => `[\\p{Script=${script}}&&\\p{L}]`
const patternOf = (letters: string, more = '') =>
  new RegExp(`^${letters}[${letters}\\p{Mn}\\p{Mc}'’.\\- ${more}]*$`, 'v')

const namePatterns = [
  // Excludes click letters (ǃ), which look like punctuation; includes the Hawaiian ʻokina.
  patternOf('[[\\p{Script=Latin}&&[\\p{Lu}\\p{Ll}\\p{Lt}]]\\u02bb\\u02bc]'),
  patternOf('[[[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}]&&\\p{L}]\\u30fc]'),
  ...plainScripts.map((script) => patternOf(lettersOf(script))),
  ...joiningScripts.map((script) => patternOf(lettersOf(script), '\\u200c\\u200d')),
]
const invisible = /(?![\u200c\u200d])\p{Default_Ignorable_Code_Point}/u
// Matches "spam.example", but not "J. R.". Email programs turn "spam.example" into a link, even with accents near the dot.
const addressLike = /\p{L}[\p{M}\u200c\u200d]*\.[\p{M}\u200c\u200d]*\p{L}/u
const pileOfMarks = /\p{M}{6}/u

// The longest single word. Scripts without spaces fit a sentence into few characters.
const MAX_WORD = 20
const MAX_UNSPACED = 5
const unspaced = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u

/**
 * The name for an email that goes out before anybody has read it: only a single short word, so that the name can't read like
 * a notice ("Account Suspended").
 */
export function greetingName(firstName: string): string {
  const name = cleanName(firstName)
  const isWord = /^(?:[\p{L}\p{M}'’ʻʼ\u30fc]|\u200c|\u200d)+$/u.test(name)
  return isWord && [...name].length <= (unspaced.test(name) ? MAX_UNSPACED : MAX_WORD) ? name : ''
}

/**
 * Returns the first name if it looks like a name. Otherwise returns an empty string, so that nobody can send an ad in a
 * receipt.
 */
export function cleanName(firstName: string): string {
  const isName =
    [...firstName].length <= MAX_LENGTH &&
    firstName.split(/\s+/).length <= 3 &&
    ![invisible, pileOfMarks, addressLike].some((pattern) => pattern.test(firstName)) &&
    namePatterns.some((pattern) => pattern.test(firstName))
  return isName ? firstName : ''
}
