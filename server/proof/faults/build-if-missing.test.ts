import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { newDataDir } from '../testing/start-program.ts'
import { buildIfMissing } from './build-if-missing.ts'

test('the page is built only if it is missing', () => {
  using folder = newDataDir()
  const pages = join(folder.path, 'dist/pages')
  const build = vi.fn(() => {
    mkdirSync(pages, { recursive: true })
    writeFileSync(join(pages, 'home.html'), '')
  })

  for (let runs = 0; runs < 2; runs++) buildIfMissing(join(folder.path, 'dist'), build)

  expect(build).toHaveBeenCalledTimes(1)
})
