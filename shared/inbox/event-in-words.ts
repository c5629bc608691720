import type { LeadEvent } from './lead.ts'

/** Describes an event in the past tense, without its subject: "reopened it". `day` formats a follow-up date. */
export function eventInWords(
  { what, from, to }: Pick<LeadEvent, 'what' | 'from' | 'to'>,
  day: (date: string) => string,
): string {
  switch (what) {
    case 'seen':
      return 'opened it first'
    case 'state':
      return to === 'open' ? 'reopened it' : `marked it as ${to}`
    case 'follow_up':
      return to ? `set a follow-up for ${day(to)}` : 'removed the follow-up'
    case 'verdict':
      return `marked it as ${to === 'spam' ? 'spam' : 'not spam'}`
    case 'undone':
      return 'undid the last change'
    case 'note':
      return 'wrote a note'
    case 'answer':
      return 'answered'
    case 'answer_undone':
      return 'undid the answer before it was sent'
    case 'answer_failed':
      return 'could not deliver the answer'
    case 'address':
      return `corrected the address from ${from} to ${to}`
  }
}
