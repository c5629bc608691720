import { join } from 'node:path'

// better-sqlite3 and zod are in the folder of the project.
const root = join(import.meta.dirname, '../../../../..')

export default { turbopack: { root }, serverExternalPackages: ['better-sqlite3'], poweredByHeader: false }
