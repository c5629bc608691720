import { readFileSync } from 'node:fs'

/** An edit to one source file. */
type Weakening = { file: string; from: string; to: string }

const repository = new URL('../../../../', import.meta.url)

const addsMigration = {
  from: "{ '001-first': first }",
  to: "{ '001-first': first, '002-future': await import('../proof/testing/future-migration.ts') }",
}

/**
 * Each entry removes one guarantee, with one or more edits, to prove that the check for it can fail. `from` is source text
 * of the program: when that text changes, update it here. Until you do, weakenings.test.ts fails.
 */
export const weakenings = {
  'synchronous=NORMAL': [
    {
      file: 'server/database/sqlite.ts',
      from: "sqlite.pragma('synchronous = FULL')\n  // Until",
      to: "sqlite.pragma('synchronous = NORMAL')\n  // Until",
    },
    {
      file: 'server/database/sqlite.ts',
      from: 'const SYNCHRONOUS_FULL = 2',
      to: 'const SYNCHRONOUS_FULL = 1',
    },
  ],
  'a random Message-ID': [
    {
      file: 'server/mail/mailer.ts',
      from: 'messageId: email.messageId,',
      to: 'messageId: `<$' + '{Math.random()}@agency.example>`,',
    },
  ],
  'no idempotency key': [
    {
      file: 'server/leads/submit-lead.ts',
      from: 'findEarlier(history, asked) ?? overLimit',
      to: 'overLimit',
    },
    {
      file: 'server/leads/submit-lead.ts',
      from: 'idempotencyKey, client, formToken }\n',
      to: 'idempotencyKey: null, client, formToken }\n',
    },
  ],
  'trust proxy = true': [
    {
      file: 'server/app.ts',
      from: "app.set('trust proxy', env.TRUST_PROXY)",
      to: "app.set('trust proxy', true)",
    },
  ],
  "Node's default timeouts": [
    { file: 'server/http/open-port.ts', from: 'createServer(options)', to: 'createServer()' },
  ],
  'marked spam counts as much as the samples': [
    {
      file: 'server/leads/spam-score.ts',
      from: 'Math.min(wordPoints(learnedEvidence), MAX_LEARNED_POINTS, SUSPECT_FROM - 1 - formPoints)',
      to: 'wordPoints(learnedEvidence + 0 * formPoints)',
    },
  ],
  'any number of notices': [
    {
      file: 'server/leads/mail-budget.ts',
      from: 'if (noticedLeads === Infinity) return true',
      to: 'if (noticedLeads) return true',
    },
  ],
  'no reserve for codes and answers': [
    {
      file: 'server/leads/mail-budget.ts',
      from: 'Math.floor(share(4) / owners)',
      to: 'share(1)',
    },
  ],
  'refused emails are sent again with the same text': [
    {
      file: 'server/write-email.ts',
      from: "cause === 'content' ? withoutWords(lead) : lead",
      to: "cause === 'content' ? lead : lead",
    },
  ],
  'no body size limit': [
    {
      file: 'server/http/read-body.ts',
      from: 'if (size > maxBytes) reject(tooLarge())',
      to: 'if (size < 0) reject(tooLarge())',
    },
  ],
  'a lenient HTTP parser': [
    {
      file: 'server/http/open-port.ts',
      from: 'createServer(options)',
      to: 'createServer({ ...options, insecureHTTPParser: true })',
    },
  ],
  'emails are marked as sent before they are sent': [
    {
      file: 'server/outbox/outbox-store.ts',
      from: "state: 'sending',\n        attempts",
      to: "state: 'sent',\n        attempts",
    },
  ],
  'leases are not released at startup': [
    { file: 'server/create-outbox.ts', from: 'await outbox.releaseAll(now())', to: '' },
  ],
  'the server keeps running after npm has exited': [
    { file: 'server/stop-signal.ts', from: 'process.ppid !== parent && resolve()', to: 'process.ppid' },
  ],
  'a 30 s timeout after the final dot': [
    { file: 'server/mail/mailer.ts', from: 'socketTimeout: 5 * 60', to: 'socketTimeout: 30' },
  ],
  'recording a sent email is not retried': [
    {
      file: 'server/outbox/attempt.ts',
      from: 'if (shutdown.aborted) throw error',
      to: 'throw error',
    },
  ],
  'claims are not locked': [
    {
      file: 'server/outbox/outbox-store.ts',
      from: '.forUpdate().skipLocked()',
      to: '',
    },
  ],
  'requests take no locks': [
    {
      file: 'server/database/differences.ts',
      from: 'of(transaction).lockNames(transaction, names)',
      to: 'sqlite.lockNames(transaction, names)',
    },
  ],
  // Not a weakness: with it, the program has a migration that a future version may add.
  'a second migration': [{ file: 'server/database/migrate.ts', ...addsMigration }],
  'migrations without a transaction': [
    { file: 'server/database/migrate.ts', ...addsMigration },
    {
      file: 'server/database/sqlite-dialect.ts',
      from: 'get supportsTransactionalDdl(): boolean {\n    return true',
      to: 'get supportsTransactionalDdl(): boolean {\n    return false',
    },
  ],
  'a restore deletes the old database first': [
    { file: 'server/backup/restore-backup.ts', from: 'linkSync(live, aside)', to: 'rmSync(live)' },
  ],
  'an email written to a file counts as delivered': [
    {
      file: 'server/outbox/delivery-mode.ts',
      from: "return isUsed ? 'held' : 'files'",
      to: "return 'files'",
    },
    { file: 'server/create-outbox.ts', from: '() => isSmtpUsed(db)', to: 'async () => false' },
    {
      file: 'server/create-outbox.ts',
      from: "if (mode === 'smtp') await requeueWritten(db, now())",
      to: '',
    },
  ],
  'undoing an answer keeps its emails': [
    {
      file: 'server/inbox/leads/answer-lead.ts',
      from: ".deleteFrom('outbox')",
      to: ".updateTable('outbox').set({ attempts: 0 })",
    },
  ],
} as const satisfies Record<string, readonly Weakening[]>

export type Weakness = keyof typeof weakenings

/** Node options that start the program with one guarantee removed. */
export function weakenedBy(weakness: Weakness): string[] {
  const hook = new URL('weaken.ts', import.meta.url)
  hook.searchParams.set('weakness', weakness)
  return ['--import', hook.href]
}

/** The edits that a weakness makes to the file with this URL. */
export const weakeningsOf = (weakness: Weakness, url: string): readonly Weakening[] =>
  weakenings[weakness].filter(({ file }) => new URL(file, repository).href === url)

/** Applies one edit. Throws unless the source contains `from` exactly once. */
export function weaken(source: string, { file, from, to }: Weakening): string {
  const count = source.split(from).length - 1
  if (count !== 1)
    throw new Error(
      `${file} must contain this text exactly once, but contains it ${count} times: ${from}\nThe source has changed: update server/proof/faults/controls/weakenings.ts so that the edit still removes the guarantee.`,
    )
  return source.replace(from, () => to)
}

/** Throws unless every edit of a weakness matches its source file. */
export function assertApplies(weakness: Weakness) {
  const sources = new Map<string, string>()
  for (const weakening of weakenings[weakness]) {
    const source = sources.get(weakening.file) ?? readFileSync(new URL(weakening.file, repository), 'utf8')
    sources.set(weakening.file, weaken(source, weakening))
  }
}
