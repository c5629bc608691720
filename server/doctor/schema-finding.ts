import type { SchemaAge } from '../database/migrate.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('database')

/** Reports a schema that this version of the program cannot use. */
export function checkSchemaAge(database: string, age: SchemaAge): Finding | undefined {
  if (age === 'foreign')
    return about.problem(
      `${database} belongs to a newer version of this program, or to another program.`,
      'Start that version, or use an empty database.',
    )
  if (age === 'older')
    return about.warning(
      `${database} is empty or from an older version.`,
      'Restart the server; it updates the database.',
    )
  return undefined
}
