import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findTemporaryStorage, readMounts } from '../files/mount.ts'
import { listAccessibleFolders, listExposedFiles } from '../files/private-files.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('data directory')

const MEGABYTE = 1024 * 1024
const LOW_SPACE = 500 * MEGABYTE
const NO_SPACE = 50 * MEGABYTE

/** Checks that `DATA_DIR` and `BACKUP_DIR` are writable and private, and that `DATA_DIR` is on a permanent disk with space. */
export function checkDataDirectory(dataDir: string, backupDir: string, mountInfo: string): Finding[] {
  if (!existsSync(dataDir))
    return [
      about.problem(
        `${dataDir} does not exist.`,
        'Check DATA_DIR (in a container, the volume). If the server has never run here, start it.',
      ),
    ]
  const path = realpathSync(dataDir)
  if (!statSync(path).isDirectory()) return [about.problem(`${path} is a file.`, 'Set DATA_DIR to a folder.')]
  const findings = [
    ...checkAccess(path, backupDir),
    ...checkMount(path, mountInfo),
    ...checkSpace(path),
    ...checkPrivacy(path, backupDir),
  ]
  return findings.length > 0
    ? findings
    : [about.ok(`${path} is writable, with ${freeMegabytes(path)} MB free.`)]
}

function checkAccess(path: string, backupDir: string): Finding[] {
  const names = ['', 'leads.db', 'leads.db-wal', 'leads.db-shm', 'server.lock', 'mail']
  const refused = [...names.map((name) => join(path, name)), backupDir]
    .filter(existsSync)
    .find((part) => !isAllowed(part))
  if (!refused) return []
  const { uid } = statSync(refused)
  const user = process.getuid?.()
  const advice =
    uid === user
      ? 'Allow its owner to read and write, and do not mount it read-only.'
      : `Give it to the user that runs the server: chown -R ${user} ${refused === backupDir ? backupDir : path}`
  return [
    about.problem(
      `${refused} cannot be written: it belongs to user ${uid}, but this is user ${user}.`,
      advice,
    ),
  ]
}

function checkPrivacy(dataDir: string, backupDir: string): Finding[] {
  const open = listExposedFiles({ dataDir, backupDir })
  const enterable = listAccessibleFolders(dataDir).filter((folder) => !open.includes(folder))
  return [...describeOpen(open), ...enterable.map(describeEnterable)]
}

function describeOpen([first, ...more]: string[]): Finding[] {
  if (!first) return []
  return [
    about.warning(
      `Other users of this machine can read or change ${first}${more.length > 0 ? ` and ${more.length} more` : ''}.`,
      `Restart the server: it removes their access to its own files. If that does not help: chmod go= ${first}`,
    ),
  ]
}

const describeEnterable = (folder: string) =>
  about.warning(
    `Other users of this machine can open ${folder} and read files that you copy there.`,
    `Unless they need access: chmod go= ${folder}`,
  )

function isAllowed(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

function checkMount(path: string, mountInfo: string): Finding[] {
  const storage = findTemporaryStorage(mountInfo, path)
  if (storage === 'memory')
    return [about.problem(`${path} is in memory: the next restart loses every lead.`, 'Put it on a disk.')]
  if (storage === 'container')
    return [
      about.problem(
        `${path} is inside the container: removing the container loses every lead.`,
        'Mount a volume there, as docker-compose.yml does.',
      ),
    ]
  if (storage === 'unnamed volume')
    return [
      about.warning(
        `${path} is a volume without a name: the next container starts with a new, empty one.`,
        'Name it, as docker-compose.yml does: volumes: ["data:/data"].',
      ),
    ]
  const { mount } = readMounts(mountInfo, path)
  if (mount && /^(nfs4?|cifs|smb3|9p|fuse\.sshfs)$/.test(mount.type))
    return [
      about.warning(
        `${path} is on another machine (${mount.type}), where SQLite's file locks and flushes are unreliable.`,
        'Put it on a local disk.',
      ),
    ]
  return []
}

function checkSpace(path: string): Finding[] {
  const seen = `${freeMegabytes(path)} MB are free on the disk of ${path}.`
  const advice = 'Free some space: on a full disk, the server can store no leads and take no backups.'
  const free = freeBytes(path)
  const database = join(path, 'leads.db')
  const copy = existsSync(database) ? statSync(database).size : 0
  if (free < NO_SPACE) return [about.problem(seen, advice)]
  if (free < Math.max(LOW_SPACE, 2 * copy)) return [about.warning(seen, advice)]
  return []
}

const freeBytes = (path: string) => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
const freeMegabytes = (path: string) => Math.floor(freeBytes(path) / MEGABYTE)
