import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import stringWidth from 'string-width'
import { expect, test, vi } from 'vitest'
import { atOffice } from '../proof/testing/leads.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { since } from './options.ts'
import { formatTable, printable, printJson } from './terminal.ts'

const names = ['王小明', 'Ada Lovelace', '👩‍👩‍👧‍👦 family', 'e\u0301lan']

const table = (width: number) =>
  formatTable(
    [
      ['ID', 'NAME', 'TEXT'],
      ...['x'.repeat(90), 'short', '漢字'.repeat(50), ''].map((text, index) => [
        String(index),
        names[index] ?? '',
        text,
      ]),
    ],
    width,
  ).split('\n')

test.each([40, 41, 60, 80])('no line is wider than a terminal of %i columns', (width) => {
  const widths = table(width).map((line) => stringWidth(line))

  expect(Math.max(...widths)).toBeLessThanOrEqual(width)
  expect(Math.max(...widths)).toBeGreaterThan(width - 3)
})

test('columns stay aligned if cells contain double-width characters', () => {
  const lines = table(60).slice(0, 4)
  const starts = lines.map((line) => stringWidth(line.split(/TEXT|x|short|漢/)[0] ?? ''))

  expect(new Set(starts).size).toBe(1)
})

test("visitors' text cannot control the terminal or change the text direction", () => {
  expect(printable('a\u001b[2Jb\rc\u202ed\u2066e\u2028f\u0085g\ud800h')).toBe('a [2Jb c d e f g h')
  expect(printable('👩‍👩‍👧‍👦 می‌خواهم')).toBe('👩‍👩‍👧‍👦 می‌خواهم')
})

test('printed JSON has no control characters, and means the same', () => {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  const lead = { message: 'a\u009b2Jb\u202ec' }
  printJson(lead)
  const printed = String(write.mock.lastCall?.[0])
  write.mockRestore()

  expect(printed).toBe('{\n  "message": "a\\u009b2Jb\\u202ec"\n}\n')
  expect(JSON.parse(printed)).toEqual(lead)
})

// An evening at the office. If the office is in New York, for example, it is already the next day
// in UTC.
const now = atOffice('2026-03-20T21:30')

test.each([
  ['today', '2026-03-20T00:00'],
  ['yesterday', '2026-03-19T00:00'],
  ['2026-03-02', '2026-03-02T00:00'],
  ['12h', '2026-03-20T09:30'],
  ['120h', '2026-03-15T21:30'],
  ['7d', '2026-03-13T21:30'],
  ['1w', '2026-03-13T21:30'],
])('--since %s means %s', (text, expected) => {
  expect(since(text, now)).toEqual(atOffice(expected))
})

test('a program that reads only the beginning of what a command prints is no failure', async () => {
  const command = spawn(process.execPath, [join(import.meta.dirname, 'leads.ts'), '--help'])
  const [errors, closed] = [text(command.stderr), once(command, 'close')]
  command.stdout.destroy()

  expect([await closed, await errors]).toEqual([[0, null], ''])
})

// As another user, who may not be allowed to read this checkout.
const uid = 65_534
const mayRead = process.getuid?.() === 0 && spawnSync('ls', [import.meta.dirname], { uid }).status === 0

test.runIf(mayRead).each([['backup'], ['leads', 'list'], ['doctor']])(
  'who may not read DATA_DIR is told so, not that there are no leads: %s %s',
  (name = '', ...args) => {
    using folder = newDataDir()
    const command = [join(import.meta.dirname, `${name}.ts`), ...args]
    const { stdout, stderr } = spawnSync(process.execPath, command, { uid, env: { DATA_DIR: folder.path } })

    expect(`${stdout}${stderr}`).toContain('Access denied.')
    expect(`${stdout}${stderr}`).not.toMatch(/[Nn]o (leads|server)/)
  },
)
