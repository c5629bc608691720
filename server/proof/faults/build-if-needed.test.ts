import { expect, test, vi } from 'vitest'
import { buildIfNeeded } from './build-if-needed.ts'

test.each([
  ['exists and the server has not changed', import.meta.filename, false, 0],
  ['exists, but the server has changed', import.meta.filename, true, 1],
  ['is missing', `${import.meta.filename}.missing`, false, 1],
])('if the page %s, the site is built as often as needed', (_what, page, hasChanged, builds) => {
  const build = vi.fn()

  buildIfNeeded(page, () => hasChanged, build)

  expect(build).toHaveBeenCalledTimes(builds)
})
