import type { ContactRequest } from '#shared/contact-request.ts'
import { isGibberish } from './gibberish.ts'
import type { WordVerdict } from './word-filter.ts'

/**
 * A request with this score or more is a suspect. Words that are typical of offers, words that mix
 * alphabets, a name and a message of random letters, or a long message from many senders can reach
 * it by themselves. No other signal can, because each can have an innocent cause.
 */
export const SUSPECT_FROM = 10
export const isSuspect = (score: number): boolean => score >= SUSPECT_FROM

const MIN_FORM_AGE_MS = 2_000
// In cross-validation, the evidence of spam in every honest message was below this. Evidence below
// this gives at most 5 points: not enough for a suspect, even if the form was sent fast, or the
// honeypot was filled in at normal speed.
const SUSPECT_EVIDENCE = 9
// Evidence below this gives no points.
export const DOUBT_EVIDENCE = 4.5
const MAX_WORD_POINTS = 12
// Anybody can send messages that read like honest requests and get marked as spam. So what owners
// mark as spam only raises a doubt: not enough for a suspect with any way of sending the form, or
// with one link and a honeypot that a password manager filled in.
const MAX_LEARNED_POINTS = 4
// Matches a word that changes alphabet twice. In honest text, a word may change alphabet once
// ("SEOшник", "kΩ").
const mixedWord =
  /[a-z][\p{sc=Cyrl}\p{sc=Grek}]{1,30}[a-z]|[\p{sc=Cyrl}\p{sc=Grek}][a-z]{1,30}[\p{sc=Cyrl}\p{sc=Grek}]/giu
// Ukrainians often type a Latin "i", because their keyboard lacks the Cyrillic one.
const latinI = /(?<=\p{sc=Cyrl})i|i(?=\p{sc=Cyrl})/giu
// Word processors and web pages leave such characters in copied text. The word filter ignores them.
const splitWord = /[a-z][\u200b-\u200d\u2060\ufeff][a-z]/i

/** What the score depends on besides the fields of the request. */
export type Clues = {
  /** Whether the field that people can't see was filled in. */
  isHoneypotFilled: boolean
  /**
   * The time between the first use of the form and the request; undefined without a valid time
   * token.
   */
  formAgeMs: number | undefined
  /** How many other senders recently sent the same message. */
  repeats: number
  words: WordVerdict
}
/** `isSuspect`: by the score, unless an owner has decided. */
export type SpamVerdict = { score: number; reasons: string[]; isSuspect: boolean }
type Signal = { points: number; reason: string }

/** Scores how much a request looks like spam, with reasons for the owner. */
export function scoreSpam(request: ContactRequest, clues: Clues): SpamVerdict {
  const form = [...formSignals(clues)]
  const signals = [...form, ...wordSignals(clues, total(form)), ...textSignals(request, clues)]
  const score = total(signals)
  return { score, reasons: signals.map(({ reason }) => reason), isSuspect: isSuspect(score) }
}

const total = (signals: Signal[]) => signals.reduce((sum, { points }) => sum + points, 0)

function* formSignals({ isHoneypotFilled, formAgeMs }: Clues): Iterable<Signal> {
  const isUntimed = formAgeMs === undefined
  const isFast = !isUntimed && formAgeMs < MIN_FORM_AGE_MS
  // Password managers fill in the honeypot, too, but even then, a person takes some time to submit
  // the form.
  if (isHoneypotFilled)
    yield { points: isFast ? 7 : isUntimed ? 6 : 4, reason: 'A field that people cannot see was filled in' }
  // The token may be missing for an innocent reason: no JavaScript, a slow network, an API client,
  // or a page open for a day.
  if (isUntimed) yield { points: 1, reason: 'Sent without the time stamp of the form' }
  else if (isFast) yield { points: 3, reason: 'Sent within 2 seconds of the first use of the form' }
}

function* wordSignals(
  { words: { evidence, learnedEvidence, words } }: Clues,
  formPoints: number,
): Iterable<Signal> {
  const doubt = Math.min(wordPoints(learnedEvidence), MAX_LEARNED_POINTS, SUSPECT_FROM - 1 - formPoints)
  const points = Math.max(wordPoints(evidence), doubt)
  if (points > 0) yield { points, reason: `Words often used in offers: ${words.join(', ')}` }
}

function wordPoints(evidence: number): number {
  if (evidence < DOUBT_EVIDENCE) return 0
  return evidence < SUSPECT_EVIDENCE ? Math.floor((evidence * 2) / 3) : MAX_WORD_POINTS
}

function* textSignals(request: ContactRequest, { repeats }: Clues): Iterable<Signal> {
  const { firstName, lastName, company, message } = request
  const name = `${firstName} ${lastName}`
  const text = [name, company, message].join('\n')
  // A company may be called "Acme.com", and visitors may confuse the fields for company and name.
  if (findForeignSites({ ...request, message: name }).count > 0)
    yield { points: 5, reason: 'A website in the name' }
  const sites = findForeignSites(request)
  if (sites.count > 0)
    yield { points: linkPoints(sites.count), reason: `Other websites in the message: ${sites.count}` }
  if (sites.count > 2 && sites.lettersBesides < sites.count * 10)
    yield { points: 4, reason: 'Little text besides the links' }
  if (/<a\s[^>]{0,99}href=["']?(?:https?:|www)|\[(?:url|link)=/i.test(text))
    yield { points: 7, reason: 'Links are written as code' }
  const mixed = text.replace(latinI, 'і').match(mixedWord)?.length ?? 0
  // A single mixed word may be a typo.
  if (mixed > 0) yield { points: mixed > 1 ? 12 : 9, reason: 'Words mix letters of several alphabets' }
  if (splitWord.test(text)) yield { points: 4, reason: 'Invisible characters inside words' }
  // Programs fill in the name in the same way.
  if (isGibberish(message))
    yield { points: isGibberish(name) ? 12 : 7, reason: 'Random letters instead of words' }
  if (repeats > 0)
    yield { points: repeatPoints(repeats), reason: `Other senders of the same message: ${repeats}` }
}

const repeatPoints = (others: number) => (others > 4 ? SUSPECT_FROM : others > 2 ? 8 : 4)
const linkPoints = (count: number) => (count > 5 ? 6 : count > 2 ? 3 : 1)

// Every repetition, except at the end of a pattern, has a limit, so that no text makes matching
// slow.
const emailAddresses = /[^\s@<>]{1,64}@[^\s@<>]{1,255}/g
const sites =
  /(?:https?:\/\/|\bwww\.)([^\s/?#<>"'()[\]]{1,255})[^\s<>"'[\]]*|\b((?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|info|biz|io|co|us|ru|cn|me|xyz|top|shop|site|online|store|club))\b(?:\/\S*)?/gi

/**
 * Counts the websites in a message, except the sender's own, and the letters beside them (0 if
 * there is no website).
 */
function findForeignSites({ website, email, message }: ContactRequest) {
  // Looking for addresses takes long, and most messages have none.
  const text = message.includes('@') ? message.replace(emailAddresses, ' ') : message
  const hosts = [...text.matchAll(sites)].map(([, host, domain]) => bare(host ?? domain ?? ''))
  const own = [bare(website), bare(email.slice(email.lastIndexOf('@') + 1))]
  if (hosts.length === 0) return { count: 0, lettersBesides: 0 }
  const letters = text.replace(sites, '').match(/\p{L}/gu) ?? []
  return { count: new Set(hosts.filter((host) => !own.includes(host))).size, lettersBesides: letters.length }
}

const bare = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/|[/?#].*$/gs, '')
    .replace(/^www\.|(?<![.,:;])[.,:;]+$/g, '')
