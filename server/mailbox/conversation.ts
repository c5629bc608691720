import { setImmediate as nextTurn } from 'node:timers/promises'
import { brand } from '#facts/brand.ts'
import { inOrder } from '#shared/inbox/quotes.ts'
import type { Context } from '../context.ts'
import type { StoredMessage } from '../database/schema.ts'
import { answerEmail, ownerName } from '../leads/answers/answer-email.ts'
import type { AnswerContent } from '../leads/answers/answer-lead.ts'
import type { LeadEventRow } from '../leads/change/change-lead.ts'
import { ownerNotice } from '../leads/emails/owner-notice.ts'
import { isUnproven } from '../leads/emails/reply-notices.ts'
import { visitorReceipt } from '../leads/emails/visitor-receipt.ts'
import { readReply } from '../leads/emails/written-words.ts'
import { type Lead, readLead } from '../leads/lead-store.ts'
import type { Conversation } from './repeated-lines.ts'
import { type ReplyContent, readQuotable, replyNotice } from './reply-notice.ts'

// Mail programs repeat the last ones, in which the earlier ones are quoted.
const MAX_TEXTS = 20
/**
 * Of all that was received, and of all that was sent. More of them don't fit into the reader's
 * memory.
 */
const MAX_CHARACTERS = 30_000

type Content = (AnswerContent & ReplyContent) | null
type Said = Pick<LeadEventRow, 'who' | 'what' | 'received'> & { unproven: 0 | 1 }

/**
 * Reads what was said about a lead, as far as a message may repeat it, and who has said it.
 * `writer`: the address of the message's sender, unless that is an owner.
 */
export async function readConversation(
  context: Context,
  leadId: string,
  writer?: string,
  answers: readonly string[] = [],
): Promise<Conversation> {
  const { db, env } = context
  const lead = await readLead(db, leadId)
  if (!lead) throw new Error('The lead was erased.')
  const events = await db
    .selectFrom('lead_events')
    .select(['key', 'who', 'what', 'text', 'received', isUnproven.as('unproven')])
    .where('lead_id', '=', leadId)
    .where('received', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const certain = events.filter((event) => isCertain(event, lead, writer))
  const known = certain.map(({ key }) => key)
  const emails = await readSent(context, lead, known, writer, answers)
  const subjects = emails.map(({ subject }) => subject)
  // Mail programs also repeat to whom they have sent something.
  const people = [`${lead.firstName} ${lead.lastName} ${lead.email}`, ...events.map(({ who }) => who)]
  const owners = env.MAIL_TO.map(ownerName).filter(Boolean)
  return {
    sent: bounded(emails.filter(({ isHeard }) => !isHeard).map(({ text }) => text)),
    others: bounded(people),
    texts: bounded([...subjects, ...certain.flatMap(textsIn)]),
    heard: bounded([
      lead.message,
      ...events.filter((event) => !certain.includes(event)).map(wholeText),
      ...emails.filter(({ isHeard }) => isHeard).map(({ text }) => text),
    ]),
    names: [
      ...owners.map((name) => `${name} at ${brand.name}`),
      brand.name,
      env.MAIL_FROM.name ?? brand.name,
      brand.email,
      env.MAIL_FROM.address,
      ...env.MAIL_TO,
    ],
  }
}

/**
 * Whether the writer has surely written or got a message: others could write today what the writer
 * will tomorrow.
 */
function isCertain({ who, what, received, unproven }: Said, lead: Lead, writer?: string): boolean {
  if (writer === undefined) return true
  if (what === 'reply') return who !== '' && who === writer && unproven === 0
  if (what !== 'answered_by_mail') return false
  const { to }: StoredMessage = JSON.parse(String(received))
  return !to || to.some((address) => isFor(address, lead, writer))
}

const isFor = (to: string, lead: Lead, writer?: string) =>
  writer === undefined || [lead.email.toLowerCase(), writer].includes(to.toLowerCase())

/** Who quotes a new email leaves out its subject: see `withSubject`. */
function textsIn(event: Pick<LeadEventRow, 'text' | 'received'> & Said): string[] {
  const whole = wholeText(event)
  return event.unproven ? [whole, whole.replace(/^.*\n\n/, '')] : [whole]
}

function wholeText({ text, received }: Pick<LeadEventRow, 'text' | 'received'>): string {
  const stored: StoredMessage = JSON.parse(String(received))
  return inOrder(text ?? '', stored.quotes)
    .map((part) => part.text)
    .join('\n\n')
}

/**
 * The emails about a lead, to the visitor and to an owner, who may answer from an email program.
 * All owners get the same. `known`: the keys of the events that are the writer's. `isHeard`: what
 * somebody else has written is in it.
 */
async function readSent(
  { db, env, siteUrl }: Context,
  lead: Lead,
  known: readonly (string | null)[],
  writer: string | undefined,
  answers: readonly string[],
) {
  const sender = { mailFrom: env.MAIL_FROM, siteUrl, hasInbox: true }
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'recipient', 'content', 'message_id as messageId'])
    .where('lead_id', '=', lead.id)
    .where('kind', 'in', ['visitor_receipt', 'owner_notice', 'answer'])
    // An owner may send an answer that has come back once more, as it is: that is no copy of it.
    // But a copy, or who quotes it, names its Message-ID.
    .where((email) =>
      email.or([
        email('state', '<>', 'failed'),
        ...answers.map((messageId) => email('message_id', '=', messageId)),
      ]),
    )
    // That of the first owner of then: `MAIL_TO` may have changed.
    .where((email) => email.or([email('kind', '!=', 'owner_notice'), email('message_id', 'like', '%.0@%')]))
    .orderBy('id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const written: { subject: string; text: string; isHeard: boolean }[] = []
  let characters = 0
  for (const email of emails) {
    // Each may have long texts, and visitors must not wait for all of them.
    await nextTurn()
    const content: Content = email.content && JSON.parse(email.content)
    const message = await writeAgain(email, content)
    if (!message) continue
    const isHeard = email.kind === 'owner_notice' && !(content && known.includes(content.key))
    written.push({ ...message, isHeard: isHeard && writer !== undefined })
    characters += message.text.length
    if (characters > 2 * MAX_CHARACTERS) break
  }
  return written

  async function writeAgain(email: (typeof emails)[number], content: Content) {
    // What was promised then: whoever writes again gets a new promise.
    const first = { ...lead, dueAt: lead.firstDueAt ?? lead.dueAt }
    if (email.kind === 'visitor_receipt') return visitorReceipt(first, email, sender)
    if (content === null) return ownerNotice(first, email, sender)
    if (email.kind === 'owner_notice') {
      const reply = await readReply(db, content)
      return reply && replyNotice(lead, reply, email, sender)
    }
    const to = content.to ?? lead.email
    const lastReply = isFor(to, lead, writer) ? await readQuotable(db, lead.id, to, content.at) : undefined
    return answerEmail(lead, content, email, { ...sender, lastReply })
  }
}

function bounded(texts: readonly string[]): string[] {
  let left = MAX_CHARACTERS
  const kept = texts.map((text) => {
    const part = text.slice(0, left)
    left -= part.length
    return part
  })
  return kept.filter((text) => text !== '')
}
