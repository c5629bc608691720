// Invisible characters that break lines, change the text direction or hide text. Unicode classes include all of them.

const control = /(?![\t\n])\p{Cc}/u
// Line and paragraph separators, direction overrides and isolates, deprecated format characters, annotations.
const notInOneLine = /[\n\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/u
// Except joiners and variation selectors, which emoji and Persian and Japanese names need.
const steering =
  /(?:(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

// Normalizing is quadratic in a run of combining marks. No language needs more than 30 (UAX #15, Stream-Safe). NFKC turns
// the last two characters into marks.
const tooManyMarks = /[\p{M}\uff9e\uff9f]{31}/u

/** No control characters, lone surrogates or piles of combining marks; line breaks are allowed. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !control.test(text) && !tooManyMarks.test(text)

/** No line breaks or direction controls. */
export const isOneLine = (text: string): boolean => !notInOneLine.test(text)

/** Removes direction controls, which come along when people paste from chats and address books. */
export const withoutDirectionControls = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** Replaces each run of invisible control characters, by default with a space. */
export const replaceInvisible = (text: string, replace: (run: string) => string = () => ' '): string =>
  text.replace(steering, replace)
