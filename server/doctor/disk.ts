import { accessSync, constants, existsSync, readdirSync, realpathSync, statfsSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { Env } from '../env.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { findTemporaryStorage, readMounts } from '../files/mount.ts'
import { type Found, ok, problem, warning } from './check.ts'

const MEGABYTE = 1024 * 1024
const LOW_SPACE = 500 * MEGABYTE

/**
 * Checks that DATA_DIR and BACKUP_DIR can be written, and that DATA_DIR is on a lasting disk with
 * free space.
 */
export function checkDisk({ DATA_DIR, BACKUP_DIR }: Env, mountInfo: string): Found[] {
  if (!existsSync(DATA_DIR))
    return [warning(`${DATA_DIR} does not exist yet.`, 'Start the server: it creates it.')]
  const path = realpathSync(DATA_DIR)
  return [
    checkAccess(path, BACKUP_DIR, mountInfo),
    checkMount(path, mountInfo),
    checkSpace(path),
    checkEarlierLeads(path),
  ].flat()
}

function checkAccess(path: string, backupDir: string, mountInfo: string): Found | [] {
  const names = ['', 'leads.db', 'leads.db-wal', 'leads.db-shm', 'server.lock', 'mail']
  // The first backup creates BACKUP_DIR.
  let backups = resolve(backupDir)
  while (!existsSync(backups)) backups = dirname(backups)
  const files = [...names.map((name) => join(path, name)).filter(existsSync), backups]
  try {
    for (const file of files) accessSync(file, constants.R_OK | constants.W_OK)
    return []
  } catch (error) {
    const denied = errorFacts(error).path ?? path
    if (denied === backups && !existsSync(backupDir))
      return problem(`${backupDir} cannot be created.`, 'Create it, or correct BACKUP_DIR.')
    const command = giveTo(process.getuid?.(), denied === backups ? backups : path, mountInfo)
    return problem(
      `${denied} cannot be written by user ${process.getuid?.()}, who runs this command.`,
      `Mount it writable, or, if it is, give it to that user: ${command}`,
    )
  }
}

/** The command, for a shell outside of containers, that gives a folder to a user. */
export function giveTo(user: number | undefined, path: string, mountInfo: string): string {
  const { mount, isContainer } = readMounts(mountInfo, path)
  const volume = /\/volumes\/([^/]+)\/_data$/.exec(mount?.root ?? '')?.[1]
  // The container itself lacks the right to change owners.
  if (volume) return `docker run --rm -v ${volume}:${mount?.point} busybox chown -R ${user} ${path}`
  return `sudo chown -R ${user} ${isContainer ? mount?.root : path}`
}

function checkMount(path: string, mountInfo: string): Found | [] {
  const storage = findTemporaryStorage(mountInfo, path)
  if (storage)
    return problem(
      `${path} is in temporary storage (${storage}): a restart or a new container loses every lead.`,
      'Put it on a disk; in a container, mount a volume with a name there, as docker-compose.yml does.',
    )
  const type = readMounts(mountInfo, path).mount?.type ?? ''
  if (!/^(nfs4?|cifs|smb3|9p|fuse\.sshfs)$/.test(type)) return []
  return warning(
    `${path} is on another machine (${type}), where SQLite's file locks and flushes are unreliable.`,
    'Put it on a local disk.',
  )
}

/** Checks how much is free on the disk of DATA_DIR. */
export function checkSpace(path: string): Found {
  const { bavail, bsize } = statfsSync(path)
  const database = statSync(join(path, 'leads.db'), { throwIfNoEntry: false })
  return rateSpace(path, bavail * bsize, database?.size ?? 0)
}

/** Rates the free space beside a database. Both sizes are in bytes. */
export function rateSpace(path: string, free: number, databaseSize: number): Found {
  const seen = `${Math.floor(free / MEGABYTE)} MB is free on the disk of ${path}.`
  const advice = 'Free up some space: on a full disk, the server cannot store leads or take backups.'
  if (free < LOW_SPACE) return problem(seen, advice)
  return free < 2 * databaseSize ? warning(seen, advice) : ok(seen)
}

/** Mentions the databases that a restore has replaced. */
const checkEarlierLeads = (path: string): Found[] =>
  readdirSync(path)
    .filter((name) => /^leads-before-restore-.*\.db$/.test(name))
    .map((name) =>
      warning(
        `${join(path, name)} is from before a restore: leads that arrived after the backup are only there, and their emails were not sent.`,
        'Open it in any SQLite tool (table leads), answer these people, then delete it.',
      ),
    )
