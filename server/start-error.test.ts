import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { testOnce } from './proof/testing/build-test-app.ts'
import { newDataDir } from './proof/testing/start-program.ts'
import { describeStartError } from './start-error.ts'

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

testOnce('the description of a file system error says what is wrong, and contains no stack', () => {
  using folder = newDataDir()
  const file = join(folder.path, 'file')
  writeFileSync(file, '')
  const below = join(file, 'data')
  const missing = join(folder.path, 'missing', 'file')

  const words = [
    () => mkdirSync(file, { recursive: true }),
    () => mkdirSync(below, { recursive: true }),
    () => readdirSync(file),
    () => readFileSync(missing),
    () => readFileSync(folder.path),
  ].map((work) => describeStartError(errorOf(work)))

  expect(words).toEqual([
    expect.stringMatching(/^There is a file where a folder should be, or .*\n\(EEXIST.*file'\)$/),
    expect.stringMatching(/^There is a file where a folder should be, or .*\n\(ENOTDIR.*data'\)$/),
    expect.stringMatching(/^There is a file where a folder should be, or .*\n\(ENOTDIR.*file'\)$/),
    expect.stringMatching(/^ENOENT: no such file or directory.*missing\/file'$/),
    expect.stringMatching(/^There is a file where a folder should be, or .*\n\(EISDIR/),
  ])
  for (const text of words) expect(text).not.toMatch(/\n\s+at /)
})

testOnce.each([
  [{ code: 'EACCES', path: '/data', message: "EACCES: mkdir '/data'" }, /^Access denied.*\/data/s],
  [{ code: 'EACCES', syscall: 'listen', message: 'EACCES: listen' }, /^Access denied.* PORT above 1023/],
  [{ code: 'EROFS', path: '/data', message: "EROFS: open '/data'" }, /mounted read-only.*\/data/s],
  [{ code: 'ENOSPC', message: 'ENOSPC: write' }, /^The disk is full/],
  [
    { code: 'SQLITE_PROTOCOL', message: 'locking protocol' },
    /^Another program is using .*fuser -v DATA_DIR\/leads.db\*.*\n\(locking protocol\)$/,
  ],
  [{ code: 'SQLITE_BUSY_RECOVERY', message: 'locked' }, /^Another program .*fuser -v DATA_DIR\/leads.db\*/],
  [{ code: 'ENOENT', path: '/srv/site/client/dist/pages/home.html', message: '' }, /npm run build/],
  [{ code: 'ENOENT', path: '/home/dist/leads.csv', message: 'ENOENT: open leads.csv' }, /^ENOENT: open/],
])('the description of the error %o says what is wrong', (facts, expected) => {
  expect(describeStartError(Object.assign(new Error(), facts))).toMatch(expected)
})
