import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readDatabase } from './check-restart.ts'

/** Finds leads that are neither in `leads.db` nor in a file that the program's output names. Also finds damaged files. */
export function findLost(folder: string, references: readonly string[], output: string): string[] {
  const named = [...output.matchAll(/leads-before-restore[\w.-]*\.db/g)].map(([name]) => basename(name))
  // The program prints a file's new name before it moves the file, so the file may not exist yet.
  const files = ['leads.db', ...new Set(named)].filter((name) => existsSync(join(folder, name)))
  const contents = files.map((file) => ({ file, ...readDatabase(join(folder, file)) }))
  const lost = references.filter(
    (reference) => !contents.some((content) => content.references.has(reference)),
  )
  return [
    ...contents
      .filter(({ integrity }) => integrity !== 'ok')
      .map(({ file, integrity }) => `${file}: ${integrity}`),
    ...(lost.length > 0 ? [`${lost.length} leads lost`] : []),
  ]
}

/** Finds damaged backups. Opens them read-only, as `restore` does, so that SQLite can't repair them. */
export function damagedBackups(folder: string): string[] {
  const backups = join(folder, 'backups')
  if (!existsSync(backups)) return []
  return readdirSync(backups)
    .filter((name) => /^leads-[\dTZ-]+\.db$/.test(name))
    .map((name) => ({ name, ...readDatabase(join(backups, name), { readonly: true }) }))
    .filter(({ integrity }) => integrity !== 'ok')
    .map(({ name, integrity }) => `backup ${name}: ${integrity}`)
}
