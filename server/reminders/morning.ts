import { mondayOf, officeDay, openingOn } from '#shared/office-time.ts'
import { openSince } from '#shared/promise-clock.ts'
import type { Context } from '../context.ts'
import { readNote, writeNote } from '../database/notes.ts'
import { readWeeks } from '../leads/lists/figures.ts'
import { countUpTo, leadsIn } from '../leads/lists/lists.ts'
import { enqueue, toEachOwner } from '../outbox/email.ts'
import type { MorningContent } from './morning-email.ts'

// How many days the job remembers. If someone corrects a wrong clock, a day can come twice, but its
// email is sent only once.
const MAX_DAYS_NOTED = 31

type Deps = Context & {
  /** If false, the email says nothing about leads, except how many there were last week. */
  sendsReminders: boolean
}

/**
 * Creates a function, to be called every minute, that queues an email for each owner when the
 * office opens. If there is nothing to say, it is deleted instead of sent: see `createWriteEmail`.
 * The first one of a week has last week's figures and always comes, so that a missing one shows
 * that something is broken. On other days than workdays, only problems of the server are a reason.
 * After downtime, it comes later that day.
 */
export function createMorning({ db, write, now, env, sendsReminders }: Deps) {
  async function contentAt(at: Date, days: readonly string[]): Promise<MorningContent> {
    const day = officeDay(at)
    const isFirstOfWeek = !days.some((other) => other >= mondayOf(at, 0) && other < day)
    const [figures] = isFirstOfWeek ? await readWeeks(db, at, 1) : []
    return {
      at: at.toISOString(),
      hasLists: sendsReminders && openSince(openingOn(day)) !== undefined,
      week: figures ? { figures, suspects: await countUpTo(db, leadsIn(db, 'suspects', at)) } : null,
    }
  }

  return async function sendMorningIfDue(): Promise<void> {
    const at = now()
    const day = officeDay(at)
    const opened = openingOn(day)
    const days = await readNote(db, 'morning_days')
    // A new installation, or a restored backup, has nothing to say on its first day: it may have
    // been said already.
    if (!days) return void (await writeNote(db, 'morning_days', at < opened ? [] : [day]))
    if (at < opened || days.includes(day)) return
    const content = JSON.stringify(await contentAt(at, days))
    const emails = toEachOwner(env, `morning-${day}`, { kind: 'morning', content })
    await write(async (transaction) => {
      await writeNote(transaction, 'morning_days', [...days, day].slice(-MAX_DAYS_NOTED))
      await enqueue(transaction, emails, at)
    })
  }
}
