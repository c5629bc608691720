/** Makes a string of about this many UTF-16 code units, without splitting characters. */
type HostileText = (length: number) => string

const categories =
  'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn'.split(' ')

// Our patterns and normalization treat each category that is missing here like one of these.
const distinct = 'Lu Lo Mn Nd No Pd Pf Po So Zs Zl Cc Cf Cs'.split(' ')

/** The first character of a Unicode general category. */
function firstOf(category: string): string {
  const pattern = new RegExp(`^\\p{${category}}$`, 'u')
  let code = 0
  while (!pattern.test(String.fromCodePoint(code))) code++
  return String.fromCodePoint(code)
}

// Characters that normalization reorders, and characters that it expands (to as many as 18 characters) or joins.
const reordered = ['\u0344', '\u0f73', '\u0f71', '\u0315', '\u0300', '\u3099', '\uff9e']
const syllable = ['\u1100', '\u1161', '\u11a8']
const expanded = ['\ufb2c', '\u{1d160}', '\ufdfa', '\u2491', '\u1f82', '\u{1d7ce}', '\u{1f468}\u200d']
const unstable = [...reordered, ...syllable, ...expanded]

const phrases = [
  ...['<a ', '<', '>', '<a href=', '<a href="http://x">', '[url=', '&', '"', "'", '=', '\\', '%', '%41'],
  ...[
    '1',
    '1.',
    '1,',
    '1 ',
    '.',
    '. ',
    '..a',
    ';',
    ';"',
    '@',
    'a@',
    '@a.',
    '-',
    '- ',
    '+',
    '\n',
    '\r',
    '\t\n',
  ],
  ...['http://', 'http://a', 'www.', 'a.', 'a-', 'a.com ', 'a.com/', '/', '?', '/\u2028', ',;', '\u200d'],
  ...['dear ', 'your ', 'your a ', 'our a ', 'no a ', 'i have a ', 'my ', 'earn', 'cheap', 'mil', '1k a a '],
  ...[',br', ', ', ',br;q=', 'br ', '=?utf-8?B?', '{"', '[', '&a=', '\u{1f1e6}', 'ﷺ <a ', '⒑. ', 'а', 'aа'],
]

// As many combining marks in a row as the schema allows, and then a character that NFKC turns into another mark.
const joinedMarks = `${'\u0344'.repeat(15)}${'\u0f73'.repeat(15)}\uff9e`

type NamedText = readonly [readonly string[], HostileText]

const runOf =
  (part: string): HostileText =>
  (length) =>
    part.repeat(Math.floor(length / part.length))

const pairOf =
  (first: string, second: string): HostileText =>
  (length) =>
    runOf(first)(length / 2) + runOf(second)(length / 2)

const pairsOf = (parts: readonly string[]) =>
  parts.flatMap((first) => parts.map((second) => [[first, second], pairOf(first, second)] as const))

const nested: HostileText = (length) => '<a '.repeat(length / 6) + '>'.repeat(length / 2)

const ofOne: NamedText[] = [
  ...categories.map((category) => [[category], runOf(firstOf(category))] as const),
  ...unstable.map((mark) => [['a', mark], (length: number) => `a${runOf(mark)(length - 1)}`] as const),
  ...phrases.map((phrase) => [[phrase], runOf(phrase)] as const),
  // These repeat the beginning of what a pattern matches, but its end is missing or far away.
  ...phrases.map((phrase) => [[phrase, '!'], (length: number) => `${runOf(phrase)(length - 1)}!`] as const),
  ...phrases.map((phrase) => [[phrase, 'x'], pairOf(phrase, 'x')] as const),
  ...phrases.map((phrase) => [[phrase, '\ufdfa'], pairOf(phrase, '\ufdfa')] as const),
  [['joined marks'], runOf(joinedMarks)],
  [['nested'], nested],
]

const inPairs = [distinct.map(firstOf), reordered, syllable, ['\u1f82', '\u0315'], ['\u{1d160}', '\u0f71']]
const ofTwo: NamedText[] = inPairs.flatMap(pairsOf)

const named = (texts: NamedText[]) => texts.map(([parts, text]) => [JSON.stringify(parts), text] as const)

/** Strings that make careless code slow, named after what they repeat. */
export const hostileTexts = { ofOne: named(ofOne), ofTwo: named(ofTwo) }
