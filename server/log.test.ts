import { spawnSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createRedaction } from './errors/redaction.ts'
import { createLog } from './log.ts'

const redact = createRedaction({})

const newFile = () => {
  const path = join(mkdtempSync(join(tmpdir(), 'website-')), 'log')
  writeFileSync(path, '')
  return path
}

test('lines that cannot be written are dropped', async () => {
  // Opened only for reading, so that every write fails, as on a full disk.
  const fd = openSync(newFile(), 'r')

  const log = await createLog('info', redact, fd)

  expect(() => log.info('lost')).not.toThrow()
  await nextTurn()
  closeSync(fd)
})

test('the last line at LOG_LEVEL is written even if the next statement fails', () => {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-'], {
    cwd: import.meta.dirname,
    input: `import { createLog } from '${import.meta.dirname}/log.ts'
      const log = await createLog('warn', String)
      log.info('not wanted')
      log.warn('last')
      throw new Error('unexpected')`,
    encoding: 'utf8',
  })
  expect(JSON.parse(stdout)).toMatchObject({ msg: 'last' })
})
