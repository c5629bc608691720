import { type PassThrough, Readable } from 'node:stream'
import { ZipFile } from 'yazl'

type Text = Iterable<string> | AsyncIterable<string>

const CHUNK_LENGTH = 64 * 1024

/**
 * Joins small pieces of text, because each write costs a system call or a step of the compression.
 */
export async function* inChunks(pieces: Text): AsyncGenerator<string> {
  let chunk = ''
  for await (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

type Rows = AsyncIterable<readonly string[]>

/**
 * An Excel workbook of these sheets in which every cell is text, so that no spreadsheet turns
 * "7-11" into a date, or runs "=1+1". Excel reads at most 1,048,576 rows.
 */
export function toXlsx(sheets: Record<string, Rows>): AsyncGenerator<Buffer> {
  const contents = Object.values(sheets).map((rows, index) => [`xl/${fileOf(index)}`, sheet(rows)])
  return toZip({ ...frameOf(Object.keys(sheets)), ...Object.fromEntries(contents) })
}

const fileOf = (index: number) => `worksheets/sheet${index + 1}.xml`
// What Excel reads of a cell. It would report a longer one as damage.
const MAX_CELL = 32_767

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const schemas = 'http://schemas.openxmlformats.org'
const main = `xmlns="${schemas}/spreadsheetml/2006/main"`
const contentType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
const relationships = (type: string, targets: readonly string[]) => [
  `${declaration}<Relationships xmlns="${schemas}/package/2006/relationships">`,
  ...targets.flatMap((target, index) => [
    `<Relationship Id="rId${index + 1}" Type="${schemas}/officeDocument/2006/relationships/${type}" `,
    `Target="${target}"/>`,
  ]),
  '</Relationships>',
]

/** What a workbook has besides its sheets. */
const frameOf = (names: readonly string[]): Record<string, Text> => ({
  '[Content_Types].xml': [
    `${declaration}<Types xmlns="${schemas}/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    `<Override PartName="/xl/workbook.xml" ContentType="${contentType}.sheet.main+xml"/>`,
    ...names.map(
      (_, index) => `<Override PartName="/xl/${fileOf(index)}" ContentType="${contentType}.worksheet+xml"/>`,
    ),
    '</Types>',
  ],
  '_rels/.rels': relationships('officeDocument', ['xl/workbook.xml']),
  'xl/_rels/workbook.xml.rels': relationships(
    'worksheet',
    names.map((_, index) => fileOf(index)),
  ),
  'xl/workbook.xml': [
    `${declaration}<workbook ${main} xmlns:r="${schemas}/officeDocument/2006/relationships">`,
    '<sheets>',
    ...names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`),
    '</sheets></workbook>',
  ],
})

async function* sheet(rows: Rows) {
  yield `${declaration}<worksheet ${main}><sheetData>`
  for await (const row of rows) yield `<row>${row.map(cell).join('')}</row>`
  // Hides the marks on phone numbers, "number stored as text".
  yield '</sheetData><ignoredErrors><ignoredError sqref="A1:XFD1048576" numberStoredAsText="1"/></ignoredErrors></worksheet>'
}

const cell = (text: string) =>
  text === '' ? '<c/>' : `<c t="inlineStr"><is><t xml:space="preserve">${escapeText(text)}</t></is></c>`

const escapeText = (text: string) =>
  text
    .slice(0, MAX_CELL)
    .toWellFormed()
    // XML can't contain these characters.
    .replaceAll(/[^\t\n\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    // Excel reads "_x0041_" as "A".
    .replaceAll(/_(?=x[\da-f]{4}_)/gi, '_x005F_')
    .replaceAll(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** Writes a ZIP file, as fast as it is read, without ever having a whole part in memory. */
async function* toZip(parts: Record<string, Text>): AsyncGenerator<Buffer> {
  const zip = new ZipFile()
  const output = zip.outputStream as PassThrough
  for (const [name, text] of Object.entries(parts))
    zip.addReadStreamLazy(name, { forceDosTimestamp: true }, (add) => {
      const input = Readable.from(inChunks(text))
      // yazl passes on neither that the input fails nor that nobody reads the output anymore.
      input.once('error', (error) => output.destroy(error))
      output.once('close', () => input.destroy())
      add(null, input)
    })
  zip.end()
  yield* output
}
