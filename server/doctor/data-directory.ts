import { accessSync, constants, existsSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { findTemporaryStorage, readMounts } from '../files/mount.ts'
import { listAccessibleFolders, listExposedFiles } from '../files/private-files.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('data directory')

const MEGABYTE = 1024 * 1024
const LOW_SPACE = 500 * MEGABYTE
const NO_SPACE = 50 * MEGABYTE

/** Checks access to `DATA_DIR` and `BACKUP_DIR`, and that `DATA_DIR` is on a persistent disk with free space. */
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
  const free = freeBytes(path)
  const findings = [
    checkAccess(path, backupDir),
    checkMount(path, mountInfo),
    checkSpace(path, free),
    ...checkPrivacy(path, backupDir),
  ].filter((finding) => finding !== undefined)
  return findings.length > 0 ? findings : [about.ok(`${path} is writable, with ${megabytes(free)} MB free.`)]
}

function checkAccess(path: string, backupDir: string): Finding | undefined {
  const names = ['', 'leads.db', 'leads.db-wal', 'leads.db-shm', 'server.lock', 'mail']
  const denied = [...names.map((name) => join(path, name)), backupDir]
    .filter(existsSync)
    .find((file) => !isAccessible(file))
  if (!denied) return undefined
  const { uid } = statSync(denied)
  const user = process.getuid?.()
  const advice =
    uid === user
      ? 'Allow its owner to read and write it, and do not mount it read-only.'
      : `Give it to the user that runs the server: chown -R ${user} ${denied === backupDir ? backupDir : path}`
  return about.problem(
    `${denied} cannot be written: it belongs to user ${uid}, and this command runs as user ${user}.`,
    advice,
  )
}

function checkPrivacy(dataDir: string, backupDir: string): Finding[] {
  const open = listExposedFiles({ dataDir, backupDir })
  const [first, ...more] = open
  const findings = listAccessibleFolders(dataDir)
    .filter((folder) => !open.includes(folder))
    .map((folder) =>
      about.warning(
        `Other users of this machine can open ${folder} and read files that you copy there.`,
        `If they don't need access: chmod go= ${folder}`,
      ),
    )
  if (!first) return findings
  return [
    about.warning(
      `Other users of this machine can read or change ${first}${more.length > 0 ? ` and ${more.length} more` : ''}.`,
      `Remove their access: chmod -R go= ${first}`,
    ),
    ...findings,
  ]
}

function isAccessible(path: string): boolean {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
    return true
  } catch {
    return false
  }
}

function checkMount(path: string, mountInfo: string): Finding | undefined {
  const storage = findTemporaryStorage(mountInfo, path)
  if (storage === 'memory')
    return about.problem(`${path} is in memory: the next restart deletes every lead.`, 'Put it on a disk.')
  if (storage === 'container')
    return about.problem(
      `${path} is inside the container: removing the container deletes every lead.`,
      'Mount a volume there, as docker-compose.yml does.',
    )
  if (storage === 'unnamed volume')
    return about.warning(
      `${path} is a volume without a name: the next container starts with a new, empty one.`,
      'Name it, as docker-compose.yml does: volumes: ["data:/data"].',
    )
  const { mount } = readMounts(mountInfo, path)
  if (mount && /^(nfs4?|cifs|smb3|9p|fuse\.sshfs)$/.test(mount.type))
    return about.warning(
      `${path} is on another machine (${mount.type}), where SQLite's file locks and flushes are unreliable.`,
      'Put it on a local disk.',
    )
  return undefined
}

function checkSpace(path: string, free: number): Finding | undefined {
  const seen = `${megabytes(free)} MB is free on the disk of ${path}.`
  const advice = 'Free up some space: on a full disk, the server cannot store leads or take backups.'
  const database = join(path, 'leads.db')
  const databaseBytes = existsSync(database) ? statSync(database).size : 0
  if (free < NO_SPACE) return about.problem(seen, advice)
  return free < Math.max(LOW_SPACE, 2 * databaseBytes) ? about.warning(seen, advice) : undefined
}

function freeBytes(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}

const megabytes = (bytes: number) => Math.floor(bytes / MEGABYTE)
