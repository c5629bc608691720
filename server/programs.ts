import { extname, join } from 'node:path'

/** The programs and their source files. `npm run build` bundles each of them. */
export const programs = {
  main: 'main.ts',
  leads: 'cli/leads.ts',
  doctor: 'cli/doctor.ts',
  backup: 'cli/backup.ts',
  restore: 'cli/restore.ts',
  'scan-files': 'cli/scan-files.ts',
  'reader-process': 'inbox/reads/reader-process.ts',
} as const

// All bundles are in the same folder. npm scripts such as `npm run leads` run the source files, and so do unit tests.
const isBundled = extname(import.meta.filename) === '.js'

/** The path of a program to run in a child process: a bundle if this process runs one, otherwise the source file. */
export const programPath = (name: keyof typeof programs): string =>
  join(import.meta.dirname, isBundled ? `${name}.js` : programs[name])
