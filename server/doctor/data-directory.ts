import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { impermanenceOf, readMounts } from '../files/mount.ts'
import { listEnterable, listOpenFiles } from '../files/private-files.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('data directory')

const MEGABYTE = 1024 * 1024
const LITTLE_SPACE = 500 * MEGABYTE
const NO_SPACE = 50 * MEGABYTE

/** Whether `DATA_DIR` and `BACKUP_DIR` can be written, by nobody else, and `DATA_DIR` is on a disk that lasts and has room. */
export function checkDataDirectory(dataDir: string, backupDir: string, mountInfo: string): Finding[] {
  if (!existsSync(dataDir))
    return [
      about.problem(
        `${dataDir} does not exist.`,
        'Check DATA_DIR, and in a container the volume. If the server was never started here, start it.',
      ),
    ]
  const path = realpathSync(dataDir)
  if (!statSync(path).isDirectory())
    return [about.problem(`${path} is a file.`, 'DATA_DIR must be a folder.')]
  const findings = [
    ...checkAccess(path, backupDir),
    ...checkMount(path, mountInfo),
    ...checkSpace(path),
    ...checkPrivacy(path, backupDir),
  ]
  return findings.length > 0
    ? findings
    : [about.ok(`${path} can be written, ${freeMegabytes(path)} MB free.`)]
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
      ? 'Allow its owner to read and write, and mount it without read-only.'
      : `Give it to the user of the server: chown -R ${user} ${refused === backupDir ? backupDir : path}`
  return [
    about.problem(
      `${refused} cannot be written: it belongs to user ${uid}, and this is user ${user}.`,
      advice,
    ),
  ]
}

function checkPrivacy(dataDir: string, backupDir: string): Finding[] {
  const open = listOpenFiles({ dataDir, backupDir })
  const enterable = listEnterable(dataDir).filter((folder) => !open.includes(folder))
  return [...describeOpen(open), ...enterable.map(describeEnterable)]
}

function describeOpen([first, ...more]: string[]): Finding[] {
  if (!first) return []
  return [
    about.warning(
      `Other users of this machine can read or change ${first}${more.length > 0 ? ` and ${more.length} more` : ''}.`,
      `Restart the server: it closes what belongs to its user. If that does not help: chmod go= ${first}`,
    ),
  ]
}

const describeEnterable = (folder: string) =>
  about.warning(
    `Other users of this machine can enter ${folder}: they can read what you copy there, unless you close each file.`,
    `If none of them needs to: chmod go= ${folder}`,
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
  const impermanence = impermanenceOf(mountInfo, path)
  if (impermanence === 'memory')
    return [
      about.problem(`${path} is in memory: every lead is lost at the next restart.`, 'Put it on a disk.'),
    ]
  if (impermanence === 'container')
    return [
      about.problem(
        `${path} is inside the container: every lead is lost with it.`,
        'Mount a volume there, as docker-compose.yml does.',
      ),
    ]
  if (impermanence === 'unnamed volume')
    return [
      about.warning(
        `${path} is a volume without a name: the next container gets a new, empty one.`,
        'Name it, as docker-compose.yml does: volumes: ["data:/data"].',
      ),
    ]
  const { mount } = readMounts(mountInfo, path)
  if (mount && /^(nfs4?|cifs|smb3|9p|fuse\.sshfs)$/.test(mount.type))
    return [
      about.warning(
        `${path} is on another machine (${mount.type}), where SQLite cannot rely on locks and flushes.`,
        'Put it on a local disk.',
      ),
    ]
  return []
}

function checkSpace(path: string): Finding[] {
  const seen = `${freeMegabytes(path)} MB are free on the disk of ${path}.`
  const advice = 'Make room: on a full disk, no request can be stored and no backup taken.'
  const free = freeBytes(path)
  const database = join(path, 'leads.db')
  const copy = existsSync(database) ? statSync(database).size : 0
  if (free < NO_SPACE) return [about.problem(seen, advice)]
  if (free < Math.max(LITTLE_SPACE, 2 * copy)) return [about.warning(seen, advice)]
  return []
}

const freeBytes = (path: string) => {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
const freeMegabytes = (path: string) => Math.floor(freeBytes(path) / MEGABYTE)
