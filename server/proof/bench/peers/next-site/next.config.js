import { join } from 'node:path'

// Turbopack's root must contain better-sqlite3 and zod, which are installed in the project's root folder.
const root = join(import.meta.dirname, '../../../../..')

export default { turbopack: { root }, serverExternalPackages: ['better-sqlite3'], poweredByHeader: false }
