import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { syncFolder, writeDurably } from './sync.ts'

test('a failed write leaves the older file unchanged', async () => {
  using folder = newDataDir()
  writeFileSync(join(folder.path, 'a.eml'), 'old')
  mkdirSync(join(folder.path, '.a.eml.part'))

  await expect(writeDurably(folder.path, 'a.eml', Buffer.from('new'))).rejects.toThrow('EISDIR')

  expect(readFileSync(join(folder.path, 'a.eml'), 'utf8')).toBe('old')
})

test('what an interrupted write has left behind does not get into the next file', async () => {
  using folder = newDataDir()
  writeFileSync(join(folder.path, '.a.eml.part'), 'half of an older text')

  await writeDurably(folder.path, 'a.eml', Buffer.from('new'))

  expect(readFileSync(join(folder.path, 'a.eml'), 'utf8')).toBe('new')
})

test('on Windows, which cannot flush folders, nothing is flushed', () => {
  const { platform } = process
  onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }))
  Object.defineProperty(process, 'platform', { value: 'win32' })

  expect(() => syncFolder('/not-there')).not.toThrow()
})
