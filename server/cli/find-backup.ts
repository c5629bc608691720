import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Env } from '../env.ts'
import { CommandError } from './run-command.ts'

/** What `findBackup` accepts, for the help of commands. */
export const backupArgument = 'a path, or a file name in BACKUP_DIR or DATA_DIR'

/** Finds the backup that was named on the command line. */
export function findBackup(
  given: string,
  { BACKUP_DIR, DATA_DIR }: Pick<Env, 'BACKUP_DIR' | 'DATA_DIR'>,
  exitCode?: number,
): string {
  const paths = [given, join(BACKUP_DIR, given), join(DATA_DIR, given)]
  const file = paths.find((path) => existsSync(path) && !statSync(path).isDirectory())
  if (file) return file
  throw new CommandError(`There is no file ${given} here, in ${BACKUP_DIR} or in ${DATA_DIR}.`, exitCode)
}
