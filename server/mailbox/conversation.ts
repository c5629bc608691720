import { brand } from '#facts/brand.ts'
import { inOrder } from '#shared/inbox/quotes.ts'
import type { Context } from '../context.ts'
import type { Database, StoredMessage } from '../database/schema.ts'
import { answerEmail, ownerName } from '../inbox/leads/answer-email.ts'
import { type Lead, readLead } from '../leads/lead-store.ts'
import { ownerNotice } from '../leads/owner-notice.ts'
import { visitorReceipt } from '../leads/visitor-receipt.ts'
import { quotesIn } from '../mail/message-text.ts'
import type { Conversation } from './quoted-parts.ts'
import { readLastReply, readReply, replyNotice } from './reply-notice.ts'

// Mail programs repeat the last ones, in which the earlier ones are quoted.
const MAX_TEXTS = 20
/** Of all that was received, and of all that was sent. More of them don't fit into the reader's memory. */
const MAX_CHARACTERS = 30_000

type Deps = Pick<Context, 'db' | 'env' | 'siteUrl'>
type Sender = Parameters<typeof ownerNotice>[2] & { owner: string }

/** Reads what was said about a lead, as far as a message may repeat it, and who has said it. */
export async function readConversation({ db, env, siteUrl }: Deps, leadId: string): Promise<Conversation> {
  const lead = await readLead(db, leadId)
  const events = await db
    .selectFrom('lead_events')
    .select(['who', 'text', 'received'])
    .where('lead_id', '=', leadId)
    .where('received', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const received = events.map(({ text, received }) => {
    const stored: StoredMessage = JSON.parse(String(received))
    return inOrder(text ?? '', quotesIn(stored, text ?? ''))
      .map((part) => part.text)
      .join('\n\n')
  })
  const sender = { mailFrom: env.MAIL_FROM, siteUrl, hasInbox: true }
  const emails = await readSent(db, lead, { ...sender, owner: env.MAIL_TO[0] ?? '' })
  const subjects = emails.map(({ subject }) => subject)
  // Mail programs also repeat to whom they have sent something.
  const people = [`${lead.firstName} ${lead.lastName} ${lead.email}`, ...events.map(({ who }) => who)]
  const owners = env.MAIL_TO.map(ownerName).filter(Boolean)
  return {
    sent: bounded(emails.map(({ text }) => text)),
    others: bounded(people),
    texts: bounded([...subjects, lead.message, ...received]),
    names: [
      ...owners.map((name) => `${name} at ${brand.name}`),
      ...[brand.name, env.MAIL_FROM.name ?? brand.name],
      ...[brand.email, env.MAIL_FROM.address, ...env.MAIL_TO],
    ],
  }
}

/** The emails about a lead, to the visitor and to an owner, who may answer from an email program. All owners get the same. */
async function readSent(db: Database, lead: Lead, sender: Sender) {
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'recipient', 'content', 'message_id as messageId'])
    .where('lead_id', '=', lead.id)
    .where('kind', 'in', ['visitor_receipt', 'owner_notice', 'answer'])
    .where((email) => email.or([email('kind', '!=', 'owner_notice'), email('recipient', '=', sender.owner)]))
    .orderBy('id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const written = await Promise.all(
    emails.map(async (email) => {
      if (email.kind === 'visitor_receipt') return visitorReceipt(lead, email, sender)
      if (email.content === null) return ownerNotice(lead, email, sender)
      const content = JSON.parse(email.content)
      if (email.kind === 'owner_notice') {
        const reply = await readReply(db, content).catch(() => undefined)
        return reply && replyNotice(lead, reply, email, sender)
      }
      const lastReply = await readLastReply(db, lead.id, content.to ?? lead.email, content.at)
      return answerEmail(lead, content, email, { ...sender, lastReply })
    }),
  )
  return written.filter((email) => email !== undefined)
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
