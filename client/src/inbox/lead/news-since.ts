import { english } from '#shared/computed-facts.ts'
import { type LeadDetail, type LeadEvent, minorEvents } from '#shared/inbox/lead.ts'
import { eventInWords } from '#shared/inbox/words.ts'
import { serverNow } from '../data/api.ts'
import { isElsewhere, whoInWords } from '../words/lead-words.ts'
import { followUpTime } from '../words/times.ts'

const minor: readonly string[] = minorEvents
const clock = new Intl.DateTimeFormat(english, { hour: 'numeric', minute: '2-digit' })

type Seen = Pick<LeadDetail, 'version' | 'events'>
type Lead = Seen & Pick<LeadDetail, 'name' | 'email'>

/**
 * The latest change to a lead since the owner saw it: "Ben marked it
 * as won." Undefined if nothing has changed.
 */
export function newsSince(seen: Seen, lead: Lead, me: string): string | undefined {
  if (lead.version === seen.version) return
  const known = new Set(seen.events.map(({ id }) => id))
  const news = lead.events
    .filter(({ id, what }) => !known.has(id) && !minor.includes(what))
    .sort((one, other) => other.id - one.id)
  const event = news.find(({ who }) => who !== me) ?? news[0]
  if (!event) return 'This request has changed.'
  const answered = `answered this request at ${clock.format(new Date(event.at))}`
  const what = event.what === 'answer' ? answered : eventInWords(event, (at) => followUpTime(at, serverNow()))
  return `${nameOf(event, lead, me)} ${what}.`
}

/** Whoever writes must not seem to be somebody else, such as an owner with the same first name. */
function nameOf(event: LeadEvent, lead: Lead, me: string): string {
  if (event.what !== 'reply' || event.who === '') return whoInWords(event, me)
  return isElsewhere(event, lead) ? event.who : lead.name
}
