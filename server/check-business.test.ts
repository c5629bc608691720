import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newDataDir, nodeSettings } from './proof/testing/start-program.ts'

const folder = newDataDir()
// The programs must read the time zone in shared/business, so no other agency may be selected.
const settings = { ...nodeSettings, NODE_OPTIONS: '' }
beforeAll(() => {
  const isNeeded = (path: string) => !/^client.(public|brand.public|e2e)|[\\/]dist$/.test(path)
  for (const part of ['server', 'shared', 'package.json', '.npmrc', 'tsconfig.json', 'client'])
    cpSync(part, join(folder.path, part), { recursive: true, filter: isNeeded })
  symlinkSync(join(process.cwd(), 'node_modules'), join(folder.path, 'node_modules'))
  mkdirSync(join(folder.path, 'client/dist'))
  const business = join(folder.path, 'shared/business/hours.ts')
  writeFileSync(business, readFileSync(business, 'utf8').replace(/(?<=timeZone: ')[^']+/, 'America/NewYork'))
})
afterAll(() => folder[Symbol.dispose]())

// Modules that use the time zone crash on import if it is invalid, so every program must check it first. For other invalid
// facts, see find-invalid-fact.test.ts.
const commands = ['leads', 'doctor', 'backup', 'restore'].map((name) => `server/cli/${name}.ts`)
test.each([...['server/main.ts', 'server/build.ts', 'client/build.ts', ...commands]])(
  '%s reports an invalid time zone and exits',
  async (program) => {
    const { code, stderr } = await promisify(execFile)(process.execPath, [program], {
      cwd: folder.path,
      env: { ...settings, DATA_DIR: join(folder.path, 'data'), PORT: '0', VISITOR_RECEIPT: 'on' },
      timeout: 20_000,
    }).then(
      ({ stderr }) => ({ code: 0, stderr }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    )

    expect(stderr).toMatch(
      /^shared\/business\/hours\.ts: hours\.timeZone must be .*, but is "America\/NewYork"\.\n$/,
    )
    expect(code).toBe(1)
  },
)
