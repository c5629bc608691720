/**
 * The rooms of the project: folders, and files that stand alone. Each imports only from rooms that
 * are above it in this list, so that no rooms import each other in a circle.
 */
export const rooms = [
  'shared/text',
  'shared/time',
  'shared/fact-checks',
  'shared/business',
  'shared',
  'shared/inbox',
  'server/files',
  'server/errors',
  'server/log.ts',
  'server/database',
  'server/mail',
  'server/outbox',
  'server/start',
  'server/spam',
  'server/env.ts',
  'server/context.ts',
  'server/http',
  'server/leads',
  'server/contact',
  'server/backup',
  'server/mailbox',
  'server/push',
  'server/webhook',
  'server/reminders',
  'server/inbox',
  'server/doctor',
  'server/cli',
  'server/app',
  'server/main.ts',
  'client/brand',
  'client/src/report-once.ts',
  'client/src/styles',
  'client/src/content',
  'client/src/ui',
  'client/src/contact',
  'client/src/sections',
  'client/src/pages',
  'client/src/first-view.ts',
  'client/src/app.tsx',
  'client/src/main.tsx',
  'client/src/first-script.ts',
  'client/src/inbox/styles',
  'client/src/inbox/words',
  'client/src/inbox/ui',
  'client/src/inbox/data',
  'client/src/inbox/sign-in',
  'client/src/inbox/frame',
  'client/src/inbox/figures',
  'client/src/inbox/push',
  'client/src/inbox/replies',
  'client/src/inbox/lead',
  'client/src/inbox/list',
  'client/src/inbox/access',
  'client/src/inbox',
  'client/bundle.ts',
  'client/vite.config.ts',
  'client/pictures',
  'client/prerender.tsx',
  'client/build.ts',
  'server/dev.ts',
]

/** Rooms that may not import another one, although it is above them in the list. */
export const apart: readonly [room: string, other: string][] = [
  ['server/outbox', 'server/mail'],
  ['server/mailbox', 'server/contact'],
  ['server/reminders', 'server/contact'],
]

/**
 * Files that give several things the same name on purpose: the texts of each section, the
 * migrations, which Kysely calls, and what opens a database.
 */
export const sameNames = /^client\/brand\/words\/|^server\/database\/(?:sqlite|migrations\/.*)\.ts$/

/** The room of a file. */
export function roomOf(file: string): string {
  const [top = '', folder = '', ...rest] = file.split('/')
  if (top === 'shared') return rest.length > 0 ? `shared/${folder}` : 'shared'
  if (folder !== 'src') return `${top}/${folder}`
  if (rest[0] !== 'inbox') return `client/src/${rest[0]}`
  return rest.length > 2 ? `client/src/inbox/${rest[1]}` : 'client/src/inbox'
}
