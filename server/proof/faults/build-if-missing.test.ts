import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newDataDir } from '../testing/start-program.ts'
import { buildIfMissing } from './build-if-missing.ts'

test('the site is built only if a file is missing', () => {
  using folder = newDataDir()
  const files = [join(folder.path, 'home.html'), join(folder.path, 'main.js')]
  const build = vi.fn(() => writeFileSync(files[1] ?? '', ''))
  writeFileSync(files[0] ?? '', '')

  for (let runs = 0; runs < 2; runs++) buildIfMissing(files, build)

  expect(build).toHaveBeenCalledTimes(1)
})
