import { chownSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDataDir } from '../proof/testing/start-program.ts'
import { makeFolder } from './private-files.ts'

test.skipIf(process.getuid?.() !== 0)(
  'folders that root creates belong to the owner of the folder around them',
  () => {
    using folder = newDataDir()
    chownSync(folder.path, 1234, 5678)

    makeFolder(join(folder.path, 'backups', 'daily'))

    for (const path of ['backups', 'backups/daily'])
      expect(statSync(join(folder.path, path))).toMatchObject({ uid: 1234, gid: 5678 })
  },
)
