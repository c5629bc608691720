import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readDatabase } from './after-a-fault.ts'

/** Which of these leads are neither in `leads.db` nor in a file set aside that the program has named; and what is damaged. */
export function findLost(folder: string, references: readonly string[], said: string): string[] {
  const named = [...said.matchAll(/leads-before-restore[\w.-]*\.db/g)].map(([name]) => basename(name))
  // Named before anything was moved, it may not be there yet.
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

/** The verified backups that cannot be restored. Read as `restore` reads them: without the right to repair. */
export function damagedBackups(folder: string): string[] {
  const backups = join(folder, 'backups')
  if (!existsSync(backups)) return []
  return readdirSync(backups)
    .filter((name) => /^leads-[\dTZ-]+\.db$/.test(name))
    .map((name) => ({ name, ...readDatabase(join(backups, name), { readonly: true }) }))
    .filter(({ integrity }) => integrity !== 'ok')
    .map(({ name, integrity }) => `backup ${name}: ${integrity}`)
}
