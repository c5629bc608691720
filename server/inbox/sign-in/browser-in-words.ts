// The first match counts: for compatibility, most user agents also name other browsers.
const browsers: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]
// Limits the text that the patterns search.
const MAX_LENGTH = 1_000

/**
 * Describes a browser, for example as "Chrome on Android". Uses only our own words, because a user agent can contain any
 * text.
 */
export function browserInWords(userAgent = ''): string {
  const text = userAgent.slice(0, MAX_LENGTH)
  const find = (table: [RegExp, string][]) => table.find(([pattern]) => pattern.test(text))?.[1]
  const system = find(systems)
  return `${find(browsers) ?? 'An unknown browser'}${system ? ` on ${system}` : ''}`
}
