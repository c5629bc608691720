import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { syncFolder, writeDurably } from './sync.ts'

test('a failed write leaves the older file unchanged', async () => {
  using folder = newDataDir()
  writeFileSync(join(folder.path, 'a.eml'), 'old')
  mkdirSync(join(folder.path, '.a.eml.part'))

  await expect(writeDurably(folder.path, 'a.eml', Buffer.from('new'))).rejects.toThrow('EISDIR')

  expect(readFileSync(join(folder.path, 'a.eml'), 'utf8')).toBe('old')
})

test('on Windows, which cannot flush folders, nothing is flushed', () => {
  expect(() => syncFolder('/not-there', 'win32')).not.toThrow()
})
