import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { makeFolder } from './private-files.ts'

test('a folder and its missing parents are created, and existing ones are left alone', () => {
  using folder = newDataDir()
  const path = join(folder.path, 'a', 'b')
  makeFolder(path)
  makeFolder(path)

  expect(statSync(path).isDirectory()).toBe(true)
})

test('where no folder can be created, there is an error instead of an endless loop', () => {
  using folder = newDataDir()
  mkdirSync(join(folder.path, 'a'))
  writeFileSync(join(folder.path, 'a', 'file'), '')

  expect(() => makeFolder(join(folder.path, 'a', 'file'))).toThrow(/EEXIST/)
  expect(() => makeFolder(join(folder.path, 'a', 'file', 'b'))).toThrow(/EEXIST|ENOTDIR/)
})
