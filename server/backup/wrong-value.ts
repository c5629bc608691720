import type Sqlite from 'better-sqlite3'

const text = (column: string) => `typeof(${column}) = 'text'`
const textOrNull = (column: string) => `typeof(${column}) in ('text', 'null')`
const integer = (column: string) => `typeof(${column}) = 'integer'`
const integerOrNull = (column: string) => `typeof(${column}) in ('integer', 'null')`
/** As `Date.toISOString` writes it, or null where the table allows that. */
const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}) is ${column}`
const jsonOrNull = (column: string) => `${column} is null or (${text(column)} and json_valid(${column}))`
const id = (column: string) =>
  `${text(column)} and length(${column}) = 36 and ${column} not glob '*[^0-9a-f-]*'`
// Counted in bytes as well: glob sees nothing behind a NUL.
const reference = (column: string) =>
  `${text(column)} and ${column} glob 'Q-????-????' and length(cast(${column} as blob)) = 11
    and ${column} not glob '*[^0-9A-Z-]*'`

type Form = (column: string) => string
const forms: Record<string, Record<string, Form>> = {
  leads: {
    id,
    reference,
    created_at: time,
    first_name: text,
    last_name: text,
    email: text,
    phone: text,
    company: text,
    website: text,
    budget: text,
    message: text,
    idempotency_key: textOrNull,
    content_hash: text,
    spam_score: integer,
    // Read as none where it is no JSON.
    spam_reasons: text,
  },
  outbox: {
    kind: text,
    recipient: text,
    content: jsonOrNull,
    priority: integer,
    attempts: integer,
    queued_at: time,
    due_at: time,
    sent_at: time,
    message_id: text,
  },
  outbox_attempts: { at: time, outcome: text, smtp_code: integerOrNull, response: text },
  settings: { name: text, value: text },
}

/** What a server does not start without, and the step that lays it down. */
const keys = { client_hash_key: '001-leads-and-outbox', form_token_key: '002-spam-signals' }

/**
 * Which value in a database of ours is not as this program writes it, in words for whoever gave the file. A wrong type or
 * a time that is none would end every command that reads it, and a missing key every start.
 */
export function findWrongValue(sqlite: Sqlite.Database): string | undefined {
  for (const [table, columns] of Object.entries(forms)) {
    const present = sqlite
      .prepare<[string], string>('select name from pragma_table_info(?)')
      .pluck()
      .all(table)
    const looks = Object.entries(columns).filter(([name]) => present.includes(name))
    if (looks.length === 0) continue
    const wrong = sqlite
      .prepare(
        `select case ${looks.map(([name, form]) => `when not (${form(name)}) then '${name}'`).join(' ')} end as wrong
         from ${table} where wrong is not null limit 1`,
      )
      .pluck()
      .get()
    if (wrong) return `Its table ${table} has a value in ${wrong} that this program never writes there.`
  }
  const missing = Object.entries(keys).find(([name, step]) => !hasKey(sqlite, name, step))
  return missing && `Its settings lack the ${missing[0]}, without which no server starts.`
}

const hasKey = (sqlite: Sqlite.Database, name: string, step: string) =>
  sqlite
    .prepare(
      `select 1 where not exists (select 1 from kysely_migration where name = ?) or exists (select 1 from settings
        where name = ? and length(value) = 64 and value not glob '*[^0-9a-f]*')`,
    )
    .get(step, name) !== undefined
