/** What makes Excel read a file as UTF-8; other programs pass over it. */
export const BYTE_ORDER_MARK = '\ufeff'

// Where a spreadsheet may begin a cell: at the start of ours, and, since Excel takes a semicolon for the separator in
// half of the world and then no longer sees our quotes, behind every semicolon, tab and line end as well. The wide forms
// are what a Japanese keyboard gives.
// The sign is optional so that each run of spaces is read once.
const CELL_START = /((?:^|[;\t\r\n])["\s]*)([=+\-@＝＋－＠]?)/g

/** A row of a CSV file (RFC 4180) in which no cell can run as a formula: an apostrophe stands before what could. */
export const toCsvRow = (cells: readonly string[]): string => toRawCsvRow(cells.map(disarm))

/** A row of a CSV file (RFC 4180) with the cells as they are: for programs, since a spreadsheet may run what is in it. */
export const toRawCsvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`

const disarm = (text: string) =>
  text
    .replace(CELL_START, (start, before, sign) => (sign ? `${before}'${sign}` : start))
    // A telephone number would lose its leading zero.
    .replace(/^(?=[\t\r]|\d+$)/, "'")
