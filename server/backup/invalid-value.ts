import type Sqlite from 'better-sqlite3'

const text = (column: string) => `typeof(${column}) = 'text'`
const textOrNull = (column: string) => `typeof(${column}) in ('text', 'null')`
const integer = (column: string) => `typeof(${column}) = 'integer'`
const integerOrNull = (column: string) => `typeof(${column}) in ('integer', 'null')`
/** Null, or in the format of `Date.toISOString`. */
const time = (column: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${column}) is ${column}`
const timeOrEmpty = (column: string) => `${column} = '' or ${time(column)}`
const json = (column: string) => `${text(column)} and json_valid(${column})`
const dayOrNull = (column: string) => `date(${column}) is ${column}`
const flag = (column: string) => `${column} in (0, 1)`
const jsonOrNull = (column: string) => `${column} is null or (${text(column)} and json_valid(${column}))`
const id = (column: string) =>
  `${text(column)} and length(${column}) = 36 and ${column} not glob '*[^0-9a-f-]*'`
// Checks the length in bytes, too, because `glob` stops at a NUL.
const reference = (column: string) =>
  `${text(column)} and ${column} glob 'Q-????-????' and length(cast(${column} as blob)) = 11
    and ${column} not glob '*[^0-9A-Z-]*'`

type Check = (column: string) => string
const checksByTable: Record<string, Record<string, Check>> = {
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
    // Not checked as JSON, because `parseReasons` ignores invalid JSON.
    spam_reasons: text,
    verdict: textOrNull,
    version: integer,
    due_at: timeOrEmpty,
    follow_up_on: dayOrNull,
    answered_at: time,
    seen_at: time,
    trouble: textOrNull,
    source: json,
    sort_key: text,
    is_indexed: flag,
    awaits_list: flag,
  },
  lead_events: {
    at: time,
    who: text,
    what: text,
    from_value: textOrNull,
    to_value: textOrNull,
    text: textOrNull,
    key: textOrNull,
    before: jsonOrNull,
  },
  lead_drafts: { owner: text, text, updated_at: time },
  passkeys: {
    id: text,
    owner: text,
    user_id: text,
    public_key: text,
    counter: integer,
    transports: json,
    name: text,
    created_at: time,
    used_at: time,
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
    cause: textOrNull,
  },
  accepted_requests: { name: text, at: time },
  outbox_attempts: { at: time, outcome: text, smtp_code: integerOrNull, response: text },
  settings: { name: text, value: text },
}

/** Settings that the server needs to start, and the migrations that create them. */
const keys = { client_hash_key: '001-leads-and-outbox', form_token_key: '002-spam-signals' }

/** Describes a value that would crash a command, or a missing or malformed key. Returns undefined if it finds neither. */
export function findInvalidValue(sqlite: Sqlite.Database): string | undefined {
  for (const [table, columns] of Object.entries(checksByTable)) {
    const present = sqlite
      .prepare<[string], string>('select name from pragma_table_info(?)')
      .pluck()
      .all(table)
    const checks = Object.entries(columns).filter(([name]) => present.includes(name))
    if (checks.length === 0) continue
    const invalid = sqlite
      .prepare(
        `select case ${checks.map(([name, check]) => `when not (${check(name)}) then '${name}'`).join(' ')} end as invalid
         from ${table} where invalid is not null limit 1`,
      )
      .pluck()
      .get()
    if (invalid) return `Its table ${table} has an invalid value in the column ${invalid}.`
  }
  const missing = Object.entries(keys).find(([name, migration]) => !hasKey(sqlite, name, migration))
  return missing && `Its settings lack a valid ${missing[0]}, which the server needs to start.`
}

const hasKey = (sqlite: Sqlite.Database, name: string, migration: string) =>
  sqlite
    .prepare(
      `select 1 where not exists (select 1 from kysely_migration where name = ?) or exists (select 1 from settings
        where name = ? and length(value) = 64 and value not glob '*[^0-9a-f]*')`,
    )
    .get(migration, name) !== undefined
