import { inflateRawSync } from 'node:zlib'

/** The rows of a sheet, as a spreadsheet shows them. Reads only files of our own `toXlsx`. */
export function readXlsx(file: Buffer, sheet = 1): string[][] {
  const xml = readPart(file, `xl/worksheets/sheet${sheet}.xml`)
  return [...xml.matchAll(/<row>(.*?)<\/row>/gs)].map(([, row = '']) =>
    [
      ...row.matchAll(
        /<c\/>|<c t="inlineStr"><is><t xml:space="preserve">((?:[^<&]|&#\d+;)*)<\/t><\/is><\/c>/gs,
      ),
    ].map(([, text = '']) =>
      text
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
        .replace(/_x([\dA-F]{4})_/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))),
    ),
  )
}

/** The text of one of the files in the workbook. */
export function readPart(file: Buffer, name: string): string {
  const entry = file.lastIndexOf(name) - 46
  const start = file.readUInt32LE(entry + 42) + 30 + name.length
  return inflateRawSync(file.subarray(start, start + file.readUInt32LE(entry + 20))).toString()
}
