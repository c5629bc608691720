import type { clickIds, LeadSource } from '../lead-source.ts'
import { findEmailTypo } from '../text/find-email-typo.ts'
import { telephoneLink } from '../text/telephone-link.ts'
import { MAX_COUNTED } from './api.ts'
import type { LeadEvent } from './lead.ts'

/**
 * Describes an event in the past tense, without its subject: "reopened it". `time` formats the time
 * of a follow-up, or a day ("2026-03-02").
 */
export function eventInWords(
  { what, from, to, isNewEmail }: Pick<LeadEvent, 'what' | 'from' | 'to' | 'isNewEmail'>,
  time: (value: string) => string,
): string {
  switch (what) {
    case 'seen':
      return 'opened it first'
    case 'state':
      return to === 'open' ? 'reopened it' : `marked it as ${to}`
    case 'follow_up':
      return to ? `set a follow-up for ${time(to)}` : 'removed the follow-up'
    case 'result':
      return to ? `marked it as ${to}` : 'decided that it is neither won nor lost'
    case 'nothing_to_answer':
      return 'said that there is nothing to answer'
    case 'verdict':
      return `marked it as ${to === 'spam' ? 'spam' : 'not spam'}`
    case 'undone':
      return 'undid the last change'
    case 'note':
      return 'wrote a note'
    case 'answer':
      return 'answered'
    case 'answer_undone':
      return 'undid an answer before it was sent'
    case 'answer_failed':
      return 'could not deliver the answer'
    case 'address':
      return `corrected the address from ${from} to ${to}`
    case 'reply':
      return isNewEmail ? 'wrote a new email' : 'wrote again'
    case 'answered_by_mail':
      return 'answered by email'
    case 'automatic_reply':
      return 'sent an automatic reply'
  }
}

const names: Record<string, string> = {
  owner_notice: 'notice',
  visitor_receipt: 'receipt',
  reminder: 'reminder',
  follow_up: 'reminder',
  answer: 'answer',
  answer_copy: 'copy of the answer',
  answer_trouble: 'warning about the answer',
  webhook: 'post',
}

/** "receipt to ada@example.com". */
export const emailInShort = ({ kind, recipient }: { kind: string; recipient: string }): string =>
  `${names[kind] ?? 'email'} to ${recipient}`

const DIRECT = 'Typed in or bookmarked'

const ads: Partial<Record<(typeof clickIds)[number], string>> = {
  gclid: 'Google ad',
  gbraid: 'Google ad',
  wbraid: 'Google ad',
  msclkid: 'Bing ad',
  ttclid: 'TikTok ad',
  li_fat_id: 'LinkedIn ad',
  twclid: 'X ad',
}

/**
 * Where a lead came from: "Google ad", "newsletter, campaign “spring”" or "google.com"; null if
 * nothing is known.
 */
export function sourceInWords({ landing, referrer, parameters = {} }: LeadSource): string | null {
  const { utm_source, utm_campaign, fbclid } = parameters
  const [, ad] = Object.entries(ads).find(([name]) => parameters[name]) ?? []
  // Facebook adds its parameter to every link, not only to ads.
  const name = ad || utm_source || (fbclid && 'Facebook') || referrer
  if (utm_campaign) return `${name ? `${name}, campaign` : 'Campaign'} “${utm_campaign}”`
  return name || (landing ? DIRECT : null)
}

/** What to do about a lead whose receipt bounced. */
export const addressDoubt = (phone: string): string =>
  telephoneLink(phone)
    ? 'The address may be wrong: call instead.'
    : 'The address may be wrong, and there is no phone number.'

/**
 * Why an address looks mistyped; null if it doesn't. The form also warns visitors about typos, but
 * only with JavaScript.
 */
export function typoInWords(email: string): string | null {
  const typo = findEmailTypo(email)
  if (!typo) return null
  return typo.correction ? `May mean ${typo.correction}.` : 'No dot after the @: it may be incomplete.'
}

/** Writes a count as "12", or as "999+" if the server stopped counting. */
export const countInWords = (count: number): string =>
  count < MAX_COUNTED ? String(count) : `${MAX_COUNTED - 1}+`

/** 48 -> "48 min", 150 -> "2.5 h", 3000 -> "2 days". */
export function timeInWords(minutes: number): string {
  if (minutes < 100) return `${Math.round(minutes)} min`
  if (minutes < 36 * 60) return `${Math.round(minutes / 6) / 10} h`
  return `${Math.round(minutes / 1440)} days`
}

/** The same for office hours, which don't add up to days: 3000 -> "50 h". */
export const workTimeInWords = (minutes: number): string =>
  minutes < 36 * 60 ? timeInWords(minutes) : `${Math.round(minutes / 60)} h`
