import type { Quote } from '#shared/inbox/quotes.ts'
import { addCut, CUT, UNREADABLE } from '../leads/messages/message-text.ts'
import { foundIn, type SearchText } from '../leads/search/found-in.ts'
import { MAX_TEXT } from './limits.ts'
import { quotedParts } from './quoted-parts.ts'
import type { MailMessage } from './read-message.ts'
import type { Conversation } from './repeated-lines.ts'
import { wordsIn } from './repeated-lines.ts'

/**
 * What somebody has written, what is quoted in it, and what searches find it by. `isCopy`: it is
 * what we have sent.
 */
export type Words = { written: string; quotes: Quote[]; found: SearchText; isCopy: boolean }

/** A new email with its subject, in which some people write all that they have to say. */
export function withSubject(message: MailMessage): MailMessage {
  const { subject, answers, text } = message
  const isOwn = answers.length === 0 && !/^re:/i.test(subject) && text !== UNREADABLE
  return isOwn ? { ...message, text: `${subject}\n\n${text}`.trim() } : message
}

/** A message with all that it quotes. Unlike `writtenIn`, it takes no time worth mentioning. */
export function unfolded({ text, isCut }: Pick<MailMessage, 'text' | 'isCut'>): Words {
  const shown = text.slice(0, MAX_TEXT).trimEnd()
  return {
    written: isCut || text.length > MAX_TEXT ? addCut(shown) : shown,
    quotes: [],
    found: foundIn(shown),
    isCopy: false,
  }
}

/**
 * Tells what somebody has written from what is quoted of the conversation. Both together have at
 * most MAX_TEXT characters.
 */
export function writtenIn(
  { text, isCut }: Pick<MailMessage, 'text' | 'isCut'>,
  conversation: Conversation,
): Words {
  const said = wordsIn(text).join(' ')
  let written = ''
  const quotes: Quote[] = []
  for (const part of quotedParts(text, conversation)) {
    if (part.isQuoted) quotes.push({ at: written.length, text: part.text })
    else written += `${written && '\n\n'}${part.text}`
  }
  const shown = written.slice(0, MAX_TEXT).trimEnd()
  const isShort = isCut || written.length > MAX_TEXT
  return {
    written: isShort ? addCut(shown) : shown,
    quotes: upTo(
      MAX_TEXT - shown.length,
      quotes.filter(({ at }) => at <= shown.length),
    ),
    found: foundIn(shown),
    isCopy: conversation.sent.some((one) => wordsIn(one).join(' ') === said),
  }
}

function upTo(characters: number, quotes: readonly Quote[]): Quote[] {
  let left = characters
  return quotes.flatMap(({ at, text }) => {
    const kept = text.slice(0, Math.max(0, left)).trimEnd()
    left -= text.length
    if (kept === '') return []
    return kept.length < text.length ? { at, text: `${kept}\n\n${CUT}` } : { at, text }
  })
}
