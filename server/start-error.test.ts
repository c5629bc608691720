import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { buildTestApp } from './proof/testing/build-test-app.ts'
import { testOnce } from './proof/testing/open-test-database.ts'
import { runInThisProcess } from './proof/testing/run-program.ts'
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

testOnce(
  'the description of an error with a numeric code, such as that of a failed child process, contains its message',
  () => {
    const error = Object.assign(new Error('Command failed'), { code: 1 })

    expect(describeStartError(error)).toContain('Command failed')
  },
)

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

testOnce('if the port is in use, the description of the error says so', async () => {
  const server = createServer().listen(0)
  const { promise, resolve } = Promise.withResolvers<unknown>()
  createServer().on('error', resolve).listen(server.address())

  expect(describeStartError(await promise)).toMatch(/^The port is already in use/)
  server.close()
})

test.each<[Parameters<typeof runInThisProcess>[0], string[], RegExp]>([
  ['backup', [], /^There is a file where a folder should be.*file'/s],
  ['restore', [], /^There is a file where a folder should be.*file'/s],
  ['leads', ['export', '-o', 'README.md/leads.csv'], /^There is a file where.*README\.md\/leads\.csv/s],
])('`%s` describes file system errors as the server does', async (command, args, expected) => {
  await using site = await buildTestApp()
  const BACKUP_DIR = join(site.dataDir, 'file')
  writeFileSync(BACKUP_DIR, '')

  const { stderr } = await runInThisProcess(command, args, { ...site.env, BACKUP_DIR })
  expect(stderr).toMatch(expected)
})
