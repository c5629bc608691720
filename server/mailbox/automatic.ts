import type { Header } from 'postal-mime'

// What programs write into their replies, besides Auto-Submitted (RFC 3834). Vacation notices of
// old mail servers and of hosting companies have only one of these.
const replies = new Map([
  ['auto-submitted', /^auto-replied/],
  ['content-type', /^multipart\/report/],
  ['delivered-to', /^autoresponder$/],
  ['precedence', /^auto_reply/],
  ['x-ms-exchange-generated-message-source', /^mailbox rules agent/],
])
// Not X-Auto-Response-Suppress, which asks others for no such reply.
const ownReply = /^x-(?:\w+-)?auto-?(?:respond(?:er)?|reply(?:-from)?|generated)$/
// Not `list`: a group that stands for an address, such as a Google Group, marks each message like
// that.
const others = new Map([
  ['auto-submitted', /^auto-/],
  ['precedence', /^(?:bulk|junk)$/],
  ['return-path', /^<>$/],
])

// Exchange marks what a rule redirects like what a rule answers. If it redirects an answer, the
// source is named twice.
const ofRule = /^(?:auto-generated|mailbox rules agent)$/
const isRedirected = (headers: readonly Header[]) => headers.some(({ key }) => key === 'resent-from')

const has = (headers: readonly Header[], marks: ReadonlyMap<string, RegExp>) =>
  headers.some(({ key, value }) => {
    const mark = value.trim().toLowerCase()
    return marks.get(key)?.test(mark) && !(ofRule.test(mark) && isRedirected(headers))
  })

/** Whether a program has answered by itself, such as one that sends vacation notices. */
export const isReplyOfProgram = (headers: readonly Header[]): boolean =>
  has(headers, replies) ||
  headers.some(({ key, value }) => ownReply.test(key) && !/^(?:no|none|false|0)?$/i.test(value.trim()))

/**
 * Whether a program has sent a message. It may pass on what a person wrote, as a ticket system
 * does.
 */
export const isOfProgram = (headers: readonly Header[]): boolean => has(headers, others)
