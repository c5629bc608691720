import { openSince } from '#shared/promise-clock.ts'
import { lockNames } from '../database/differences.ts'
import type { Database } from '../database/schema.ts'
import { readNote, writeNote } from '../database/settings.ts'
import { countSuspects, readWeek } from '../inbox/reads/figures.ts'
import { mondayOf, officeDay, openingOn } from '../leads/office-time.ts'
import type { MailAddress } from '../mail/mailer.ts'
import { domainOf, type NewEmail } from '../outbox/email.ts'
import { enqueue } from '../outbox/enqueue.ts'
import { type FactDeps, findBackupNotes, findConcerns, gatherFacts } from './concerns.ts'
import { hasNews, type MorningContent } from './morning-email.ts'
import { noLists, readMorning } from './morning-lists.ts'

// How many days the job remembers. If someone corrects a wrong clock, a day can come twice, but its email is sent only once.
const MAX_DAYS_NOTED = 31

type Deps = FactDeps & {
  mailFrom: MailAddress
  mailTo: readonly string[]
  /** If false, the email says nothing about leads, except how many there were last week. */
  sendsReminders: boolean
  now: () => Date
  onQueued: () => void
}

/**
 * Creates a function, to be called every minute, that queues an email for each owner when the office opens, if there is anything
 * to say. The first one of a week has last week's figures and always comes, so that a missing one shows that something is
 * broken. On other days than workdays, only problems of the server are a reason. After downtime, it comes later that day.
 */
export function createMorning({ mailFrom, mailTo, sendsReminders, now, onQueued, ...deps }: Deps) {
  const { db } = deps

  async function contentAt(opened: Date, days: readonly string[]): Promise<MorningContent> {
    const facts = await gatherFacts(deps, now())
    const isFirstOfWeek = !days.some((day) => day >= mondayOf(opened, 0) && day < officeDay(opened))
    return {
      at: opened.toISOString(),
      hasLists: sendsReminders && openSince(opened) !== undefined,
      concerns: findConcerns(facts),
      week: isFirstOfWeek
        ? {
            figures: await readWeek(db, opened, 1),
            suspects: await countSuspects(db, opened),
            notes: findBackupNotes(facts),
          }
        : null,
    }
  }

  async function emailsFor(day: string, content: MorningContent): Promise<NewEmail[]> {
    const at = new Date(content.at)
    const emails: NewEmail[] = []
    for (const [index, recipient] of mailTo.entries())
      if (hasNews(content, content.hasLists ? await readMorning(db, { owner: recipient, at }) : noLists))
        emails.push({
          kind: 'morning',
          recipient,
          messageId: `<morning-${day}.${index}@${domainOf(mailFrom)}>`,
          content: JSON.stringify(content),
        })
    return emails
  }

  return async function sendMorningIfDue(): Promise<void> {
    const at = now()
    const day = officeDay(at)
    const opened = openingOn(day)
    const days = await readDays(db)
    // A new installation, or a restored backup, has nothing to say on its first day: it may have been said already.
    if (!days) return void (await writeNote(db, 'morning_days', at < opened ? [] : [day]))
    if (at < opened || days.includes(day)) return
    const emails = await emailsFor(day, await contentAt(opened, days))
    const isQueued = await db.transaction().execute(async (transaction) => {
      // Other replicas run this job, too.
      await lockNames(transaction, ['morning'])
      const noted = (await readDays(transaction)) ?? []
      if (noted.includes(day)) return false
      await writeNote(transaction, 'morning_days', [...noted, day].slice(-MAX_DAYS_NOTED))
      await enqueue(transaction, emails, at)
      return emails.length > 0
    })
    if (isQueued) onQueued()
  }
}

/** The office days whose emails were queued or had nothing to say. Undefined if no day has been recorded yet. */
async function readDays(db: Database): Promise<string[] | undefined> {
  const days = await readNote<unknown>(db, 'morning_days')
  return Array.isArray(days) ? days : undefined
}
