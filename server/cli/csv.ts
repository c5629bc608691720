/** Makes Excel read a file as UTF-8; other programs ignore it. */
export const BYTE_ORDER_MARK = '\ufeff'

// Where a spreadsheet may start a cell: at the start of ours, but also after every semicolon, tab and line break, because
// in many countries Excel splits at semicolons and then ignores our quotes. Japanese keyboards type the wide forms.
// The sign is optional so that the regex reads each run of spaces only once.
const CELL_START = /((?:^|[;\t\r\n])["\s]*)([=+\-@＝＋－＠]?)/g

/** A CSV row (RFC 4180) in which no cell can run as a formula: an apostrophe precedes anything that could. */
export const toCsvRow = (cells: readonly string[]): string => toRawCsvRow(cells.map(disarm))

/** A CSV row (RFC 4180) with unchanged cells. Only for programs: a spreadsheet may run formulas in it. */
export const toRawCsvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

const disarm = (text: string) =>
  text
    .replace(CELL_START, (start, before, sign) => (sign ? `${before}'${sign}` : start))
    // A phone number would lose its leading zero.
    .replace(/^(?=[\t\r]|\d+$)/, "'")
