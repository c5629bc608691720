import { createHash } from 'node:crypto'

/** Finds the ID of the lead in the Message-ID of an email about it. */
export const idOfOurs = /^<([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})[.-]/

/** Whether an email of ours with this Message-ID went to a visitor. */
export const wentToVisitor = (messageId: string): boolean => /\.(?:answer|receipt)@/.test(messageId)

/** How the Message-ID ends that stands for one that is missing or can't be used. */
export const NO_MESSAGE_ID = '@no-message-id.invalid>'

type Message = { messageId: string; bodyHash: string }

/** The hash of a Message-ID, because senders choose them, and they can be long. */
export const hashOf = (messageId: string): string =>
  createHash('sha256').update(messageId).digest('base64url')

/**
 * The key of the event that stores a message with a lead. The Message-ID alone isn't enough:
 * somebody who knows it could send another message first, which would then stand for this one.
 */
export const eventKeyOf = (leadId: string, { messageId, bodyHash }: Message, who: string): string =>
  `mail ${hashOf([leadId, who, messageId, bodyHash].join(' '))}`

/** The keys that a message's event may have: those of earlier versions had only the Message-ID. */
export const keysOf = (leadId: string, message: Message, who: string): string[] => [
  eventKeyOf(leadId, message, who),
  `mail ${hashOf(message.messageId)}`,
]
