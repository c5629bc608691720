import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findUnbuilt } from './assert-built.ts'
import { newDataDir } from './start-program.ts'

test('findUnbuilt finds a source file if the bundle is missing or older', () => {
  using folder = newDataDir()
  const write = (name: string, seconds: number) => {
    const path = join(folder.path, name)
    mkdirSync(join(path, '..'), { recursive: true })
    writeFileSync(path, '')
    utimesSync(path, seconds, seconds)
  }
  const found = () => findUnbuilt(join(folder.path, 'server/dist/main.js'), folder.path)

  write('server/main.ts', 10)
  expect(found()).toBe('server/main.ts')
  write('server/dist/main.js', 20)
  write('server/leads/spam/dist/part.js', 30)
  write('server/main.test.ts', 30)
  write('server/proof/bench/row.ts', 30)
  expect(found()).toBeUndefined()
  write('shared/inbox/lead.ts', 30)
  expect(found()).toBe(join('shared', 'inbox', 'lead.ts'))
})
