import { readFileSync } from 'node:fs'

type Weakening = readonly [file: string, from: string, to: string]

/**
 * Each entry removes one guarantee, with one or more edits of files in server/, to prove that the
 * check for it can fail. When the source text changes, update it here. Until you do,
 * weakenings.test.ts fails.
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
  'a body may take a minute': [['http/open-port.ts', 'BODY_MS = 15 *', 'BODY_MS = 60 *']],
  'the server keeps running after npm has exited': [
    ['main.ts', 'process.ppid !== parent && resolve()', 'process.ppid'],
  ],
  'a 30 s timeout after the final dot': [['mail/mailer.ts', 'socketTimeout: 5 * 60', 'socketTimeout: 30']],
  'messages count as read before they are stored': [
    [
      'mailbox/read-folder.ts',
      'const uids = found.filter((uid) => !aside.has(uid))',
      'const uids = found.filter((uid) => !aside.has(uid))\n    await bookmarks.move(open, uids.at(-1) ?? 0)',
    ],
  ],
  'the next refresh token is not stored': [
    ['mail/oauth.ts', 'if (answer.refresh_token) await', 'if (!answer.refresh_token) await'],
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

const urlOf = (file: string) => new URL(`../../../${file}`, import.meta.url)

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
