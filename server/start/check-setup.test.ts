import { spawnSync } from 'node:child_process'
import { mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'

test('nothing starts with an .env that cannot be read, as if there were none', () => {
  using folder = newDataDir()
  const file = join(folder.path, '.env')
  const check = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'check-setup.js')], {
      cwd: folder.path,
      encoding: 'utf8',
    })
  mkdirSync(file)

  expect(check()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^\.env cannot be read.*EISDIR/) })
  rmdirSync(file)
  expect(check()).toMatchObject({ status: 0, stderr: '' })
})
