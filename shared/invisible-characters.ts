// Not `isWellFormed`: the oldest supported browsers lack it. \p{Cs} matches lone surrogates.
const controlOrSurrogate = /(?![\t\n])[\p{Cc}\p{Cs}]/u
// Line and paragraph separators, direction overrides and isolates, deprecated format characters, annotations.
const lineBreakOrDirection = /[\n\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u206f\ufff9-\ufffb]/u
// Invisible characters, except the joiners and variation selectors that emoji and some Persian and Japanese names need.
const invisible =
  /(?:(?![\u200c\u200d]|\p{Variation_Selector})[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}])+/gu

// Normalization takes quadratic time on a run of combining marks. No language needs more than 30 in a row (UAX #15,
// Stream-Safe). NFKC turns U+FF9E and U+FF9F into marks.
const tooManyMarks = /[\p{M}\uff9e\uff9f]{31}/u

/** Rejects control characters, lone surrogates and long runs of combining marks; allows tabs and line breaks. */
export const isPlainText = (text: string): boolean =>
  !controlOrSurrogate.test(text) && !tooManyMarks.test(text)

export const isOneLine = (text: string): boolean => !lineBreakOrDirection.test(text)

/** Removes direction controls, which text pasted from chats and address books often contains. */
export const removeDirectionControls = (text: string): string =>
  text.replace(/[\u202a-\u202e\u2066-\u2069]/g, '')

/** Replaces each run of invisible characters, by default with a space. */
export const replaceInvisible = (text: string, replace: (run: string) => string = () => ' '): string =>
  text.replace(invisible, replace)

/** Replaces lone surrogates, like `toWellFormed`, which the oldest supported browsers lack. */
export const toWellFormed = (text: string): string => text.replace(/\p{Cs}/gu, '\ufffd')
