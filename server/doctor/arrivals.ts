import { count } from '#shared/count.ts'
import { arrivalInWords } from '#shared/inbox/arrival-words.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import { readArrivalTrouble } from '../mailbox/arrivals.ts'
import { type DatabaseContext, type Found, ok, warning } from './check.ts'

const MAX_TIMED = 5
const MINUTE_MS = 60_000

/** Says whether notices come to the mailbox that is read, as far as that is known. */
export async function checkArrivals({ db, env }: Pick<DatabaseContext, 'db' | 'env'>): Promise<Found> {
  const trouble = await readArrivalTrouble(db)
  if (trouble) {
    const [title, text] = arrivalInWords(trouble.state, trouble.to)
    const filter = `let that mailbox accept what ${env.MAIL_FROM.address} sends`
    return trouble.state === 'junk'
      ? warning(title, `${text} If that doesn't help, see "sender domain" above, and ${filter}.`)
      : warning(title, `Look for a rule or a quarantine there, see "sender domain" above, and ${filter}.`)
  }
  const notices = await db
    .selectFrom('outbox')
    .select(['sent_at', 'arrived_at'])
    .where('kind', '=', 'owner_notice')
    .where('recipient', 'in', env.MAIL_TO)
    .where('sent_at', 'is not', null)
    .where('arrived_at', 'is not', null)
    .orderBy('sent_at', 'desc')
    .limit(MAX_TIMED)
    .execute()
  if (notices.length === 0)
    return ok(
      `Whether notices arrive is unknown: ${env.IMAP_URL ? 'none has come to the mailbox of IMAP_URL so far' : 'without IMAP_URL, no mailbox is read'}.`,
    )
  const times = notices.map(
    ({ sent_at, arrived_at }) => Date.parse(arrived_at ?? '') - Date.parse(sent_at ?? ''),
  )
  const took = new Set([Math.min(...times), Math.max(...times)].map(inWords))
  const which = times.length > 1 ? count(times.length, 'notice') : 'notice'
  return ok(`The last ${which} took ${[...took].join(' to ')} to arrive.`)
}

/** "9 s", "12 min". Clocks may differ, and mail servers leave out parts of seconds. */
function inWords(milliseconds: number): string {
  const seconds = Math.max(1, Math.round(milliseconds / 1000))
  return seconds < 120 ? `${seconds} s` : timeInWords((seconds * 1000) / MINUTE_MS)
}
