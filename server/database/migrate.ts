import type { Kysely } from 'kysely'
import { type Migration, Migrator } from 'kysely/migration'
import { isShared } from './differences.ts'
import * as leadsAndOutbox from './migrations/001-leads-and-outbox.ts'
import * as spamSignals from './migrations/002-spam-signals.ts'
import * as leadsByTime from './migrations/003-leads-by-time.ts'
import * as mailsAboutNoLead from './migrations/004-mails-about-no-lead.ts'
import * as waitingEmails from './migrations/005-waiting-mails.ts'
import * as deliveryOrder from './migrations/006-delivery-order.ts'
import * as filesAreNoDelivery from './migrations/007-files-are-no-delivery.ts'
import { inbox, type OnProgress } from './migrations/008-inbox.ts'
import * as limits from './migrations/009-limits.ts'
import * as initialSchema from './postgres/initial-schema.ts'

export type { OnProgress }

type Migrations = Record<string, Migration>

// The names are stored in databases, so never change them.
const sqliteMigrations: Migrations = {
  '001-leads-and-outbox': leadsAndOutbox,
  '002-spam-signals': spamSignals,
  '003-leads-by-time': leadsByTime,
  '004-mails-about-no-lead': mailsAboutNoLead,
}
const postgresMigrations: Migrations = { '004-whole-shape': initialSchema }
const commonMigrations = (onProgress: OnProgress): Migrations => ({
  '005-waiting-mails': waitingEmails,
  '006-delivery-order': deliveryOrder,
  '007-files-are-no-delivery': filesAreNoDelivery,
  '008-inbox': inbox(onProgress),
  '009-limits': limits,
})

const migrationsOf = <Schema>(db: Kysely<Schema>, onProgress: OnProgress = () => {}): Migrations => ({
  ...(isShared(db) ? postgresMigrations : sqliteMigrations),
  ...commonMigrations(onProgress),
})

export const sqliteMigrationNames: readonly string[] = Object.keys({
  ...sqliteMigrations,
  ...commonMigrations(() => {}),
})

export const migrationNames = <Schema>(db: Kysely<Schema>): readonly string[] => Object.keys(migrationsOf(db))

/** Runs all migrations up to `upTo` in one transaction. Kysely locks the database, so other replicas wait. */
export async function migrate<Schema>(
  db: Kysely<Schema>,
  upTo = migrationNames(db).at(-1) ?? '',
  onProgress?: OnProgress,
): Promise<void> {
  const migrator = new Migrator({ db, provider: { getMigrations: async () => migrationsOf(db, onProgress) } })
  const { error } = await migrator.migrateTo(upTo)
  if (error) throw error
}
