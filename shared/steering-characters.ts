// Characters that show nothing and steer what shows the text: they break lines, turn the reading direction or hide. By the
// classes of Unicode, so that none is forgotten.

const control = /(?![\t\n])\p{Cc}/u
// Line and paragraph separators, overrides and isolates, deprecated format characters, annotations.
const notInOneLine = /[\n\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/u
// But for the joiners and variation selectors, which emoji, Persian and Japanese names are written with.
const steering =
  /(?:(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

// Sorting a run of combining marks takes the square of its length; more than 30 are in no language (UAX #15, Stream-Safe).
// Compatibility forms make marks of the last two.
const tooManyMarks = /[\p{M}\uff9e\uff9f]{31}/u

/** Whether a text, of one line or more, has no control characters, no halves of characters and no heaps of marks. */
export const isPlainText = (text: string): boolean =>
  text.isWellFormed() && !control.test(text) && !tooManyMarks.test(text)

/** Whether nothing in a text breaks its line or turns its direction. */
export const isOneLine = (text: string): boolean => !notInOneLine.test(text)

/** Leaves out what turns the direction: it comes unseen around a name or a number from a chat or an address book. */
export const withoutTurns = (text: string): string => text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** Replaces each run of steering characters, by a space unless told otherwise. */
export const replaceSteering = (text: string, replace: (run: string) => string = () => ' '): string =>
  text.replace(steering, replace)
