import type { Logger } from 'pino'
import type { Write } from './database/group-commit.ts'
import type { Database } from './database/schema.ts'
import type { Env } from './env.ts'
import type { Redact } from './errors/redaction.ts'
import type { Tokens } from './mail/oauth.ts'

/** What most parts of the server need. */
export type Context = {
  db: Database
  /** Runs a transaction. On SQLite, transactions that arrive together share a commit. */
  write: Write
  now: () => Date
  log: Logger
  redact: Redact
  env: Env
  /** For mail services that accept no passwords. */
  tokens?: Tokens | undefined
  /** The public URL, without a slash at the end. */
  siteUrl: string
}
