import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataDir } from './proof/testing/start-program.ts'

const folder = newDataDir()
const business = join(folder.path, 'shared/business.ts')
const original = readFileSync('shared/business.ts', 'utf8')
beforeAll(() => {
  const isNeeded = (path: string) => !/^client.(dist|public|e2e)/.test(path)
  for (const part of ['server', 'shared', 'package.json', 'client'])
    cpSync(part, join(folder.path, part), { recursive: true, filter: isNeeded })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder.path, 'node_modules'))
  mkdirSync(join(folder.path, 'client/dist'))
})
afterAll(() => folder[Symbol.dispose]())

/** Runs one of our programs with an edited business.ts. */
async function run(program: string, from: string, to: string) {
  expect(original).toContain(from)
  writeFileSync(business, original.replace(from, to))
  return await promisify(execFile)(process.execPath, [program], {
    cwd: folder.path,
    env: { DATA_DIR: join(folder.path, 'data'), PORT: '0', VISITOR_RECEIPT: 'on' },
    timeout: 20_000,
  }).catch((error: { code: number; stderr: string }) => error)
}

const mistakes: [what: string, from: string, to: string][] = [
  ['"days" in the office hours', "['Monday', 'Tuesday', ", "['Mon', 'Tue', "],
  ['"opens" in the office hours', "'08:00'", "'8:00'"],
  ['"closes" in the office hours', "'18:00'", "'24:00'"],
  ['"timeZone" in the office hours', 'America/New_York', 'America/NewYork'],
  ['each day in "closedOn"', "'2026-01-01'", "'2026-02-30'"],
  ['"quoteWorkdays" in the response times', 'quoteWorkdays: 1', 'quoteWorkday: 1'],
  ['"emailReplyOfficeHours" in the response times', 'OfficeHours: 4', 'OfficeHours: 0'],
]

test.each(mistakes)('the server reports an invalid value for %s and exits', async (what, from, to) => {
  const { code, stderr } = (await run('server/start.js', from, to)) as { code: number; stderr: string }

  expect(stderr).toMatch(new RegExp(`^shared/business\\.ts: ${what} must be .*, but is .*\\.\n$`))
  expect(code).toBe(1)
})

test.each([
  'client/build.ts',
  'server/cli/leads.ts',
  'server/cli/doctor.ts',
  'server/cli/backup.ts',
  'server/cli/restore.ts',
])('%s also reports a mistake in business.ts', async (program) => {
  const [what, from, to] = mistakes[3] as (typeof mistakes)[number]

  const { code, stderr } = (await run(program, from, to)) as { code: number; stderr: string }

  expect(stderr).toMatch(new RegExp(`^shared/business\\.ts: ${what} must be .*, but is .*\\.\n$`))
  expect(code).toBe(1)
})
