/** A CSV row (RFC 4180) with unchanged cells. Only for programs: a spreadsheet may run formulas in it. */
export const toCsvRow = (cells: readonly string[]): string =>
  `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`
