import { count } from '#shared/count.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import type { Context } from '../context.ts'
import { ownMountInfo } from '../files/mount.ts'
import { countExpiringSoon } from '../leads/erase/retention.ts'
import { countUnreadable } from '../mailbox/set-aside.ts'
import { readLongTrouble } from '../mailbox/trouble.ts'
import { checkBackups } from './backups.ts'
import { commandsFor, type DatabaseContext, type Found, problem, runCheck } from './check.ts'
import { checkSpace } from './disk.ts'
import { checkQueue } from './queue.ts'

const DAY_MS = 24 * 60 * 60 * 1000

type Deps = Pick<Context, 'db' | 'env' | 'redact'>
type OwnContext = Pick<DatabaseContext, 'db' | 'env' | 'now'>

/**
 * Finds what the morning email says about the server. If there are concerns, that email comes every
 * day, also on weekends; notes are only for Mondays. Both may quote mail servers, which can name
 * people, so don't store them.
 */
export async function findConcerns({ db, env, redact }: Deps, now: Date) {
  const mountInfo = ownMountInfo()
  const context = { db, env, now, mountInfo, command: commandsFor(mountInfo, env.DATABASE_URL) }
  const found: Found[] = []
  for (const check of [
    () => checkQueue(context),
    () => checkReading(context),
    () => checkBackups(context, problem),
    () => (env.DATABASE_URL ? [] : checkSpace(env.DATA_DIR)),
    () => checkExpiring(context),
  ])
    found.push(...(await runCheck(check)))
  const inWords = (wanted: Found['state']) =>
    found
      .filter(({ state }) => state === wanted)
      .map(({ seen, advice }) => redact(`${seen.replace(/\.$/, '')}. ${advice}`))
  return { concerns: inWords('problem'), notes: inWords('warning') }
}

/** Reports a mailbox that has been unreadable for long, and messages that were given up lately. */
async function checkReading({ db, env, now }: OwnContext): Promise<Found[]> {
  const found: Found[] = []
  const trouble = await readLongTrouble(db, env, now)
  if (trouble) {
    const since = timeInWords((now.getTime() - Date.parse(trouble.since)) / 60_000)
    const seen =
      trouble.folder === 'sent'
        ? `The folder of sent emails in the mailbox has not been readable for ${since}: what you answer from an email program does not count as answered.`
        : `The mailbox has not been readable for ${since}: what people reply is only there.`
    found.push(problem(seen, 'Run "doctor" to find out why.'))
  }
  const unreadable = await countUnreadable(db, new Date(now.getTime() - DAY_MS))
  if (unreadable > 0)
    found.push(
      problem(
        `${count(unreadable, 'message')} in the mailbox could not be read.`,
        'Look there with an email program; "doctor" says where.',
      ),
    )
  return found
}

/** Reports old leads that are about to be deleted. */
async function checkExpiring({ db, env, now }: OwnContext): Promise<Found[]> {
  const rule = { days: env.RETENTION_DAYS, hasInbox: env.INBOX === 'on' }
  const expiring = await countExpiringSoon(db, now, rule)
  if (expiring === 0) return []
  const seen = `${count(expiring, 'old request')} will be deleted within two days because of RETENTION_DAYS.`
  return [problem(seen, 'To keep them, set it to more days, or to 0, and restart the server.')]
}
