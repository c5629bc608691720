import { readFileSync } from 'node:fs'

type Weakening = readonly [file: string, from: string, to: string]

const repository = new URL('../../../../', import.meta.url)

const addsMigration: Weakening = [
  'database/migrate.ts',
  "{ '001-first': first, '002-messages': messages }",
  "{ '001-first': first, '002-messages': messages, '999-future': await import('../proof/testing/future-migration.ts') }",
]

const frequentLists: Weakening[] = [
  ['leads/mail-budget.ts', 'LIST_EVERY_MS = 45 * MINUTE_MS', 'LIST_EVERY_MS = MINUTE_MS'],
  [
    'jobs.ts',
    "name: 'notice list',\n      everyMs: MINUTE_MS",
    "name: 'notice list',\n      everyMs: SECOND_MS",
  ],
]

/**
 * Each entry removes one guarantee, with one or more edits of files in server/, to prove that the check for it can fail. When
 * the source text changes, update it here. Until you do, weakenings.test.ts fails.
 */
export const weakenings = {
  'synchronous=NORMAL': [
    [
      'database/sqlite.ts',
      "sqlite.pragma('synchronous = FULL')\n  // Until",
      "sqlite.pragma('synchronous = NORMAL')\n  // Until",
    ],
    ['database/sqlite.ts', 'const SYNCHRONOUS_FULL = 2', 'const SYNCHRONOUS_FULL = 1'],
  ],
  'a random Message-ID': [
    ['mail/mailer.ts', 'messageId: email.messageId,', 'messageId: `<$' + '{Math.random()}@agency.example>`,'],
  ],
  "Node's default timeouts": [['http/open-port.ts', 'createServer(options)', 'createServer()']],
  'the server keeps running after npm has exited': [
    ['stop-signal.ts', 'process.ppid !== parent && resolve()', 'process.ppid'],
  ],
  'a 30 s timeout after the final dot': [['mail/mailer.ts', 'socketTimeout: 5 * 60', 'socketTimeout: 30']],
  'recording a sent email is not retried': [
    ['outbox/attempt.ts', 'if (shutdown.aborted) throw error', 'throw error'],
  ],
  'messages count as read before they are stored': [
    [
      'mailbox/read-folder.ts',
      'const uids = found.filter((uid) => !aside.has(uid))',
      'const uids = found.filter((uid) => !aside.has(uid))\n    await bookmarks.move(open, uids.at(-1) ?? 0)',
    ],
  ],
  "a visitor's Message-ID counts for everybody": [
    ['mailbox/find-lead.ts', 'ofStored(db, answers, isTheirOwn(address))', 'ofStored(db, answers, isAny)'],
  ],
  'an owner in the inbox needs no Message-ID of the lead': [
    [
      'mailbox/take-in.ts',
      'const answered = await findOurs(db, message)',
      'const [answered] = await findLeadsOfSent(db, message, message.to, now())',
    ],
  ],
  'a report counts for any recipient': [
    [
      'mailbox/take-in-bounce.ts',
      'failed.find(({ address }) => address === email.recipient.toLowerCase())',
      'failed[0]',
    ],
  ],
  'reading goes on with the message that cannot be read': [
    ['mailbox/read-folder.ts', '    await bookmarks.move(open, uid)\n    const reason', '    const reason'],
    ['mailbox/read-folder.ts', 'found.filter((uid) => !aside.has(uid))', 'found'],
  ],
  'what cannot be read is not noted': [
    [
      'mailbox/set-aside.ts',
      'await write(db, folder, { of, messages: stillNamed',
      'void ({ of, messages: stillNamed',
    ],
  ],
  'nobody is told that the mailbox cannot be read': [
    [
      'mailbox/trouble-email.ts',
      'await enqueue(transaction, emails, at)',
      'await enqueue(transaction, [], at)',
    ],
  ],
  // Not a weakness: with it, lists of an hour come within two minutes.
  'lists every minute': frequentLists,
  'lists every minute, and any number of notices of replies': [
    ...frequentLists,
    ['write-email.ts', 'if (!(await takeRoom(', 'if (email.content === null && !(await takeRoom('],
  ],
  'replies count even if they were answered': [
    ['leads/reply-notices.ts', ".where('lead_events.id', '>', lastAnswerId)", ''],
  ],
  'retention counts from the request, also of leads that wait': [
    ['leads/retention.ts', '.where(hasNotWrittenSince(cutoff))', ''],
    ['leads/retention.ts', '.where(isDone)', ''],
  ],
  'a refused mailbox ends an email at once': [
    ['mail/send-error.ts', 'isFinal: toVisitor && isRejected', 'isFinal: isRejected'],
  ],
  // Not a weakness: with it, the program has a migration that a future version may add.
  'a second migration': [addsMigration],
  'migrations without a transaction': [
    addsMigration,
    [
      'database/sqlite-dialect.ts',
      'get supportsTransactionalDdl(): boolean {\n    return true',
      'get supportsTransactionalDdl(): boolean {\n    return false',
    ],
  ],
  'upgrades without a transaction': [
    [
      'database/migrate.ts',
      'await migrator.migrateToLatest()',
      'await migrator.migrateToLatest({ disableTransactions: true })',
    ],
  ],
  'a restore deletes the old database first': [
    ['backup/restore-backup.ts', 'linkSync(live, aside)', 'rmSync(live)'],
  ],
} as const satisfies Record<string, readonly Weakening[]>

export type Weakness = keyof typeof weakenings

const urlOf = (file: string) => new URL(`server/${file}`, repository)

/** Node options that start the program with one guarantee removed. */
export function weakenedBy(weakness?: Weakness): string[] {
  if (!weakness) return []
  const hook = new URL('weaken.ts', import.meta.url)
  hook.searchParams.set('weakness', weakness)
  return ['--import', hook.href]
}

/** The edits that a weakness makes to the file with this URL. */
export const weakeningsOf = (weakness: Weakness, url: string): readonly Weakening[] =>
  weakenings[weakness].filter(([file]) => urlOf(file).href === url)

/** Applies one edit. Throws unless the source contains `from` exactly once. */
export function weaken(source: string, [file, from, to]: Weakening): string {
  const count = source.split(from).length - 1
  if (count !== 1)
    throw new Error(`server/${file} contains this ${count} times, not once. Update weakenings.ts: ${from}`)
  return source.replace(from, () => to)
}

/** Throws unless every edit of a weakness matches its source file. */
export function assertApplies(weakness: Weakness) {
  for (const weakening of weakenings[weakness]) weaken(readFileSync(urlOf(weakening[0]), 'utf8'), weakening)
}
