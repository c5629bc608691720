import type { SchemaAge } from '../database/migrate.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('database')

/** Reports a schema that this version of the program cannot use. */
export function checkSchemaAge(database: string, age: SchemaAge): Finding | undefined {
  if (age === 'newer')
    return about.problem(`${database} was written by a newer version of this program.`, 'Start that version.')
  if (age === 'foreign')
    return about.problem(
      `${database} has tables of another program.`,
      'Use an empty database, or move this one away.',
    )
  if (age === 'empty')
    return about.warning(`${database} is empty.`, 'Start the server once; it creates the tables.')
  if (age === 'older')
    return about.warning(
      `${database} is from an older version.`,
      'Restart the server; it upgrades the database.',
    )
  return undefined
}
