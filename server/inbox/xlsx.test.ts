import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { crc32, inflateRawSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { readPart, readXlsx } from '../proof/testing/read-xlsx.ts'
import { toXlsx } from './xlsx.ts'

async function* rowsOf(...rows: string[][]) {
  yield* rows
}

// Values that spreadsheets change when they open a CSV file, or that they run as formulas.
const typed = [
  ...['7-11', 'MAR 3', '2E8', '1/2', '+49 30 901820', '0312', '00', '1-800-555-ROOF', 'TRUE'],
  ...['1.000,5', '12:30'],
  ...['=1+1', `=cmd|' /C calc'!A0`, '+1', '-2', '@SUM(1)', '\t=1', ' =1', '＝1+1', '"=1', ';=1'],
  ...['a\n=1', "'=1"],
  ...['', ' ', 'Müller & <b>Sons</b>', '_x0041_', '𠮷野家', '1234567890123456789'],
]

test.each(typed)('the cell %j is shown as typed', async (text) => {
  const file = await buffer(toXlsx({ Leads: rowsOf(['Company'], [text, 'after']) }))

  expect(readXlsx(file)).toEqual([['Company'], [text, 'after']])
})

test('a long sheet has every row once, with the checksum and the sizes that Excel checks', async () => {
  const rows = Array.from({ length: 2_000 }, () => [`ü${randomBytes(100).toString('hex')}`])
  const file = await buffer(toXlsx({ Leads: rowsOf(['short']), Words: rowsOf(...rows) }))

  expect([readXlsx(file), readXlsx(file, 2)]).toEqual([[['short']], rows])
  expect(readPart(file, 'xl/workbook.xml')).toMatch(/name="Leads".*name="Words"/)
  const name = 'xl/worksheets/sheet2.xml'
  const entry = file.lastIndexOf(name) - 46
  const [crc = 0, packed = 0, size, start = 0] = [16, 20, 24, 42].map((at) => file.readUInt32LE(entry + at))
  const content = start + 30 + name.length
  const xml = inflateRawSync(file.subarray(content, content + packed))
  expect([crc32(xml), xml.length]).toEqual([crc, size])
  const entries = [14, 12].map((fromEnd) => file.readUInt16LE(file.length - fromEnd))
  expect(entries[0]).toBe(entries[1])
})

test('characters that a workbook cannot contain are replaced', async () => {
  const file = await buffer(toXlsx({ Leads: rowsOf(['a\0b\u0003c\uffff\ud800']) }))

  expect(readXlsx(file)).toEqual([['a\ufffdb\ufffdc\ufffd\ufffd']])
})

test('a cell that is longer than Excel reads is cut', async () => {
  const file = await buffer(toXlsx({ Leads: rowsOf(['<'.repeat(40_000)]) }))

  expect(readXlsx(file)[0]?.[0]).toBe('<'.repeat(32_767))
})

test('a workbook whose rows cannot be read fails instead of ending early', async () => {
  async function* rows() {
    yield ['Company']
    throw new Error('no database')
  }

  await expect(buffer(toXlsx({ Leads: rows(), Words: rowsOf() }))).rejects.toThrow('no database')
})

test('when nobody reads the workbook anymore, its rows are not read on', async () => {
  const ended = Promise.withResolvers<number>()
  async function* rows() {
    let count = 0
    try {
      for (; count < 1_000_000; count++) yield [randomBytes(100).toString('hex')]
    } finally {
      ended.resolve(count)
    }
  }

  let length = 0
  for await (const chunk of toXlsx({ Leads: rows() })) {
    length += chunk.length
    if (length > 100_000) break
  }

  expect(await ended.promise).toBeLessThan(10_000)
})
