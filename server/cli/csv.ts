/** Makes Excel read a file as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff'

// A spreadsheet may start a new cell inside one of ours, after a semicolon, tab or line break: Excel in many countries
// splits at semicolons and ignores our quotes. The full-width signs come from Japanese keyboards. The sign is optional,
// so that the regex matches a long run of line breaks at once instead of rereading the run from each line break.
const CELL_START = /((?:^|[;\t\r\n])["\s]*)([=+\-@＝＋－＠]?)/g

/** A CSV row (RFC 4180) with an apostrophe before anything that a spreadsheet could run as a formula. */
export const toCsvRow = (cells: readonly string[]): string => toRawCsvRow(cells.map(escapeFormulas))

/** A CSV row (RFC 4180) with unchanged cells. Only for programs: a spreadsheet may run formulas in it. */
export const toRawCsvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

const escapeFormulas = (text: string) =>
  text
    .replace(CELL_START, (start, before, sign) => (sign ? `${before}'${sign}` : start))
    // Without the apostrophe, a leading tab could hide a formula, and a phone number would lose its leading zero.
    .replace(/^(?=[\t\r]|\d+$)/, "'")
