import { execFile, spawnSync } from 'node:child_process'
import { chmodSync, chownSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { mountMemory } from '../proof/testing/mount.ts'
import { missing } from '../proof/testing/needs.ts'
import { newDataDir } from '../proof/testing/start-program.ts'
import { checkDataDirectory } from './data-directory.ts'

const onDisk = '27 1 254:0 / / rw,relatime - ext4 /dev/vda rw'
const inContainer = '700 600 0:90 / / ro,relatime - overlay overlay ro'
const volume = (root: string, path: string) =>
  `${inContainer}\n701 700 254:0 ${root} ${path} rw,relatime - ext4 /dev/vda rw`

let folder: ReturnType<typeof newDataDir>
beforeEach(() => {
  folder = newDataDir()
})
afterEach(() => folder[Symbol.dispose]())

const backupDir = () => join(folder.path, 'backups')
const check = (mountInfo = onDisk) => checkDataDirectory(folder.path, backupDir(), mountInfo)

test('a folder on a disk is ok', () => {
  expect(check()).toMatchObject([{ state: 'ok' }])
})

test('files that other users can read are reported', () => {
  chmodSync(folder.path, 0o755)
  writeFileSync(join(folder.path, 'leads.db'), '')
  chmodSync(join(folder.path, 'leads.db'), 0o644)

  expect(check()).toMatchObject([
    {
      state: 'warning',
      seen: expect.stringContaining(`can read or change ${folder.path} and 1 more`),
      advice: expect.stringContaining(`chmod -R go= ${folder.path}`),
    },
  ])
})

// Root can write anywhere, so two tests run the command as another user, who may not be allowed to read this checkout.
const isRoot = process.getuid?.() === 0
const isPrivateCheckout =
  isRoot && spawnSync(process.execPath, ['server/cli/doctor.ts', '--help'], { uid: 65_534 }).status !== 0

test.each(['an unrelated folder', 'a link named mail', 'a link named backups'])(
  'a folder that other users can open is reported (%s)',
  (reason) => {
    using other = newDataDir()
    const link = /a link named (.*)/.exec(reason)?.[1]
    const open = link ? other.path : folder.path
    if (link) symlinkSync(other.path, join(folder.path, link))
    else mkdirSync(join(folder.path, 'website'))
    chmodSync(open, 0o755)

    expect(check()).toMatchObject([
      {
        state: 'warning',
        seen: expect.stringContaining(`Other users of this machine can open ${open}`),
        advice: expect.stringContaining(`chmod go= ${open}`),
      },
    ])
  },
)

test('a data directory that does not exist, or is a file, is reported', () => {
  const file = join(folder.path, 'file')
  writeFileSync(file, '')

  expect(checkDataDirectory(join(folder.path, 'nothing'), backupDir(), onDisk)).toMatchObject([
    { state: 'problem', seen: expect.stringContaining('does not exist') },
  ])
  expect(checkDataDirectory(file, backupDir(), onDisk)).toMatchObject([{ state: 'problem' }])
})

test.skipIf(isPrivateCheckout)(
  'an unwritable folder is reported with advice, and the other checks still run',
  async () => {
    mkdirSync(join(folder.path, 'backups'), { mode: 0 })
    chmodSync(folder.path, 0o555)
    const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/doctor.ts', '--json'], {
      env: { DATA_DIR: folder.path, SMTP_URL: '' },
      ...(isRoot && { uid: 65_534 }),
    }).catch((error: { stdout: string }) => error)
    // Lets the cleanup delete the folder.
    for (const path of [folder.path, join(folder.path, 'backups')]) chmodSync(path, 0o755)

    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        state: 'problem',
        check: 'data directory',
        seen: expect.stringContaining('cannot be written'),
        advice: expect.stringMatching(isRoot ? /chown -R 65534/ : /Allow its owner/),
      }),
    )
    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        check: 'backup',
        seen: expect.stringContaining('could not be checked: EACCES'),
        advice: expect.stringMatching(/^Run this command as the user that runs the server/),
      }),
    )
  },
)

test.skipIf(isPrivateCheckout)(
  'a read-only backup folder outside the data directory is reported',
  async () => {
    using other = newDataDir()
    chmodSync(other.path, 0o555)
    if (isRoot) chownSync(folder.path, 65_534, 65_534)

    const { stdout } = await promisify(execFile)(process.execPath, ['server/cli/doctor.ts', '--json'], {
      env: { DATA_DIR: folder.path, BACKUP_DIR: other.path },
      ...(isRoot && { uid: 65_534 }),
    }).catch((error: { stdout: string }) => error)

    expect(JSON.parse(stdout)).toContainEqual(
      expect.objectContaining({
        state: 'problem',
        seen: expect.stringContaining(`${other.path} cannot be written`),
      }),
    )
  },
)

test('a container needs a named volume', () => {
  const states = [
    volume('/docker/volumes/plumbline_data/_data', folder.path),
    inContainer,
    volume(`/docker/volumes/${'0a'.repeat(32)}/_data`, folder.path),
  ].map((mountInfo) => check(mountInfo)[0])

  expect(states).toMatchObject([
    { state: 'ok' },
    { state: 'problem', seen: expect.stringContaining('inside the container') },
    { state: 'warning', seen: expect.stringContaining('volume without a name') },
  ])
})

test('a network disk is reported', () => {
  expect(check(`${onDisk}\n90 27 0:99 / ${folder.path} rw - nfs4 server:/ rw`)).toMatchObject([
    { state: 'warning', seen: expect.stringContaining('another machine (nfs4)') },
  ])
})

test.skipIf(missing(['mount']).length > 0)('a full disk and a RAM disk are reported', () => {
  using memory = mountMemory('size=20m,mode=700')

  expect(
    checkDataDirectory(memory.path, backupDir(), readFileSync('/proc/self/mountinfo', 'utf8')),
  ).toMatchObject([
    { state: 'problem', seen: expect.stringContaining('is in memory') },
    { state: 'problem', seen: expect.stringMatching(/^\d+ MB is free/) },
  ])
})
