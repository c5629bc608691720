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
import { readLastReply } from './reply-notice.ts'

// Mail programs repeat the last ones, in which the earlier ones are quoted.
const MAX_TEXTS = 20
const MAX_CHARACTERS = 60_000

type Deps = Pick<Context, 'db' | 'env' | 'siteUrl'>

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
  const sent = await readSent(db, lead, { mailFrom: env.MAIL_FROM, siteUrl, hasInbox: true })
  const people = [...env.MAIL_TO, env.MAIL_FROM.address, lead.email, ...events.map(({ who }) => who)]
  const owners = env.MAIL_TO.map(ownerName).filter(Boolean)
  return {
    sent: upTo(MAX_CHARACTERS, sent),
    texts: upTo(MAX_CHARACTERS, [lead.message, ...received]),
    names: [
      ...new Set([
        ...people.filter((address) => address.includes('@')),
        ...owners.flatMap((name) => [name, `${name} at ${brand.name}`]),
        ...[brand.name, brand.legalName, brand.email, env.MAIL_FROM.name ?? ''],
        ...[lead.firstName, lead.lastName, `${lead.firstName} ${lead.lastName}`],
      ]),
    ],
  }
}

type Sender = Parameters<typeof ownerNotice>[2]

/** What we have sent: the subjects, and the plain texts. */
async function readSent(db: Database, lead: Lead, sender: Sender): Promise<string[]> {
  const emails = await db
    .selectFrom('outbox')
    .select(['kind', 'recipient', 'content', 'message_id as messageId'])
    .where('lead_id', '=', lead.id)
    .where('kind', 'in', ['visitor_receipt', 'owner_notice', 'answer'])
    .orderBy('id', 'desc')
    .limit(MAX_TEXTS)
    .execute()
  const texts: string[] = []
  for (const email of emails) {
    if (email.kind === 'answer') {
      const content = JSON.parse(String(email.content))
      const lastReply = await readLastReply(db, lead.id, content.to ?? lead.email, content.at)
      const { subject, text } = answerEmail(lead, content, email, { ...sender, lastReply })
      texts.push(subject, text)
    } else if (email.content === null) {
      const write = email.kind === 'owner_notice' ? ownerNotice : visitorReceipt
      const { subject, text } = write(lead, email, sender)
      texts.push(subject, text)
    }
  }
  return texts
}

function upTo(characters: number, texts: readonly string[]): string[] {
  let left = characters
  return texts.filter(({ length }) => {
    left -= length
    return left >= 0
  })
}
