import { closeSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createLog } from './log.ts'

const newFile = () => {
  const path = join(mkdtempSync(join(tmpdir(), 'website-')), 'log')
  writeFileSync(path, '')
  return path
}

test('each event is logged as a line of JSON', async () => {
  const path = newFile()
  const fd = openSync(path, 'a')

  const log = await createLog('info', fd)
  log.info({ port: 3000 }, 'ready')

  closeSync(fd)
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ level: 30, port: 3000, msg: 'ready' })
})

test('a line that cannot be written is dropped', async () => {
  // Opened only for reading, so that every write fails, as on a full disk.
  const fd = openSync(newFile(), 'r')

  const log = await createLog('info', fd)

  expect(() => log.info('lost')).not.toThrow()
  closeSync(fd)
})
