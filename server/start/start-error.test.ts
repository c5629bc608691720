import { expect } from 'vitest'
import { testOnce } from '../proof/testing/build-test-app.ts'
import { describeStartError } from './start-error.ts'

testOnce.each([
  [{ code: 'EACCES', path: '/data', message: "EACCES: mkdir '/data'" }, /^Access denied.*\/data/s],
  [{ code: 'EACCES', syscall: 'listen', message: 'EACCES: listen' }, /^Access denied.* PORT above 1023/],
  [{ code: 'ENOENT', syscall: 'mkdir', path: '/proc/x', message: '' }, /^\/proc\/x cannot be created/],
  [{ code: 'EROFS', path: '/data', message: "EROFS: open '/data'" }, /mounted read-only.*\/data/s],
  [{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND x' }, /^HOST is not an address of this machine/],
  [{ code: 'EEXIST', message: 'EEXIST: mkdir' }, /^There is a file where a folder should be/],
  [{ code: 'ENOSPC', message: 'ENOSPC: write' }, /^The disk is full/],
  [{ code: 'SQLITE_FULL', message: 'full' }, /^The disk is full/],
  [{ code: 'SQLITE_IOERR_SHMSIZE', message: 'disk I/O error' }, /^The disk is full/],
  [{ code: 'SQLITE_IOERR_READ', message: 'disk I/O error' }, /^The disk of DATA_DIR reports errors/],
  [
    { code: 'SQLITE_PROTOCOL', message: 'locking protocol' },
    /^Another program is using .*fuser -v DATA_DIR\/leads.db\*.*\n\(locking protocol\)$/,
  ],
  [{ code: 'SQLITE_BUSY_RECOVERY', message: 'locked' }, /^Another program .*fuser -v DATA_DIR\/leads.db\*/],
  [{ code: 'ENOENT', path: '/srv/site/client/dist/pages/home.html', message: '' }, /npm run build/],
  [{ code: 'ENOENT', path: '/srv/site/server/spam/dist/words.json', message: '' }, /npm run build/],
  [{ code: 'ENOENT', path: '/home/dist/leads.csv', message: 'ENOENT: open leads.csv' }, /^ENOENT: open/],
])('the description of the error %o says what is wrong', (facts, expected) => {
  expect(describeStartError(Object.assign(new Error(), facts))).toMatch(expected)
})
