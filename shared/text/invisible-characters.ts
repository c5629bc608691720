const lineBreak = /\r\n?|[\v\f\u0085\u2028\u2029]/g
const controlOrLoneSurrogate = /(?![\t\n])[\p{Cc}\p{Cs}]/gu
// Direction overrides and isolates, deprecated format characters, annotations.
const direction = /[\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/g
// Invisible characters, except the joiners and variation selectors that emoji and some Persian and
// Japanese names need.
const invisible =
  /(?:(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

// Normalization takes quadratic time on a run of combining marks. No language needs more than 30 in
// a row (UAX #15, Stream-Safe). NFKC turns U+FF9E and U+FF9F into marks.
const tooManyMarks = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * Removes what pasted text can contain but nobody can read: control characters except tabs and line
 * breaks, lone surrogates, and all but 30 of a run of combining marks. Line breaks become LF.
 */
export const cleanText = (text: string): string =>
  text.replace(lineBreak, '\n').replace(controlOrLoneSurrogate, '').replace(tooManyMarks, '$1')

/**
 * The same for text on a single line, which also loses direction controls, as text from address
 * books often has them.
 */
export const cleanLine = (text: string): string => cleanText(text.replace(direction, '')).replace(/\n+/g, ' ')

/** Replaces each run of invisible characters, by default with a space. */
export const replaceInvisible = (text: string, replace: (run: string) => string = () => ' '): string =>
  text.replace(invisible, replace)

/**
 * Replaces lone surrogates, like `toWellFormed` of strings, which the oldest supported browsers
 * lack.
 */
export const toWellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
