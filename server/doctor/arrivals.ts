import { arrivalWords } from '#shared/inbox/arrival-words.ts'
import { timeInWords } from '#shared/inbox/words.ts'
import { readArrivalTrouble } from '../mailbox/arrivals.ts'
import { type DatabaseContext, type Found, ok, warning } from './check.ts'

/** Says whether notices come to the mailbox that is read, and after how long. */
export async function checkArrivals({ db, env }: Pick<DatabaseContext, 'db' | 'env'>): Promise<Found> {
  const { state, to = '' } = (await readArrivalTrouble(db)) ?? {}
  if (state === 'returned')
    return warning(
      arrivalWords(to)[state][0],
      'Correct MAIL_TO, or let that mailbox accept emails again: it may be full or gone.',
    )
  if (state)
    return warning(
      arrivalWords(to)[state][0],
      `Mark it as "not junk", or look for a rule or a quarantine there; let that mailbox accept what ${env.MAIL_FROM.address} sends; and see "sender domain" above (SPF, DKIM).`,
    )
  const notices = await db
    .selectFrom('outbox')
    .select(['sent_at', 'arrived_at'])
    .where('kind', '=', 'owner_notice')
    .where('sent_at', 'is not', null)
    .where('arrived_at', 'is not', null)
    .orderBy('sent_at', 'desc')
    .limit(5)
    .execute()
  const times = notices.map((notice) => Date.parse(`${notice.arrived_at}`) - Date.parse(`${notice.sent_at}`))
  if (times.length === 0)
    return ok('It is not known whether notices arrive: no mailbox is read, or none has come there.')
  return ok(
    `The last notices (${times.length}) took ${inWords(Math.min(...times))} to ${inWords(Math.max(...times))}.`,
  )
}

/** "9 s", "12 min". Mail servers leave out parts of seconds. */
const inWords = (milliseconds: number): string =>
  milliseconds < 120_000
    ? `${Math.max(1, Math.round(milliseconds / 1000))} s`
    : timeInWords(milliseconds / 60_000)
