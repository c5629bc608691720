import { gatherFacts } from '../../digest/digest-facts.ts'
import { parseEnv } from '../../env.ts'
import { MAIL_PATIENCE_MS } from '../../outbox/backlog.ts'
import type { Harness } from './harness.ts'

export type NoticeOutcomes = { delivered: number; reported: number; silent: string[] }

const OPEN = ['queued', 'sending']

/**
 * There must be one notice to each owner about each acknowledged lead. Counts the notices that the mail server accepted
 * and those that the program reports as undelivered. `silent` lists the others, which were lost without a report.
 */
export async function findNoticeOutcomes(
  harness: Harness,
  url: string,
  owners: readonly string[],
): Promise<NoticeOutcomes> {
  const accepted = new Set(
    harness.relay.emails.map(({ reference, recipient }) => `${reference} ${recipient}`),
  )
  const wanted = harness.client
    .acknowledged()
    .flatMap(({ reference }) => owners.map((owner) => `${reference} ${owner}`))
  const missing = wanted.filter((notice) => !accepted.has(notice))
  const states = await harness.query(async ({ db }) =>
    db
      .selectFrom('outbox')
      .innerJoin('leads', 'leads.id', 'outbox.lead_id')
      .select(['reference', 'recipient', 'outbox.state'])
      .where('kind', '=', 'owner_notice')
      .execute(),
  )
  const stateOf = new Map(
    states.map(({ reference, recipient, state }) => [`${reference} ${recipient}`, state]),
  )
  const isOpen = (notice: string) => OPEN.includes(stateOf.get(notice) ?? '')
  const isGivenUp = (notice: string) => stateOf.get(notice) === 'failed'
  const open = missing.filter(isOpen)
  const givenUp = missing.filter(isGivenUp)
  const isShown = await areReported(harness, url, open.length, givenUp.length)
  const silent = missing
    .filter((notice) => !isShown || !(isOpen(notice) || isGivenUp(notice)))
    .map((notice) => `${notice} is ${stateOf.get(notice) ?? 'gone'}`)
  return { delivered: wanted.length - missing.length, reported: missing.length - silent.length, silent }
}

/**
 * Makes the waiting emails an hour old. Returns whether /healthz/mail then reports a problem and the digest reports at least
 * `open` waiting and `givenUp` failed emails.
 */
async function areReported(harness: Harness, url: string, open: number, givenUp: number): Promise<boolean> {
  if (open + givenUp === 0) return true
  await harness.query((stored) => stored.ageWaitingEmails())
  const { status } = await fetch(`${url}/healthz/mail`)
  const now = new Date()
  const waitingSince = () => new Date(now.getTime() - MAIL_PATIENCE_MS)
  const { backlog } = await harness.query(({ db }) =>
    gatherFacts(
      {
        db,
        env: parseEnv({ DATA_DIR: harness.dataDir }),
        waitingSince,
      },
      waitingSince(),
      now,
    ),
  )
  return status === 503 && backlog.waiting >= open && backlog.givenUp >= givenUp
}
