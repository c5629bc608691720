import { join } from 'node:path'

// Turbopack finds only packages inside its root. better-sqlite3 and zod are installed in the project's root folder.
const root = join(import.meta.dirname, '../../../../..')

export default { turbopack: { root }, serverExternalPackages: ['better-sqlite3'], poweredByHeader: false }
