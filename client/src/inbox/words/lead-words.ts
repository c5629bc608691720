import type { LeadEmail, LeadEvent, LeadState, LeadView } from '#shared/inbox/lead.ts'
import { day } from './times.ts'

export const viewNames: Record<LeadView, string> = {
  open: 'Open',
  waiting: 'Waiting',
  suspects: 'Suspects',
  answered: 'Answered',
  won: 'Won',
  lost: 'Lost',
  spam: 'Spam',
  all: 'All',
}

export const stateNames: Record<LeadState, string> = {
  open: 'Open',
  answered: 'Answered',
  won: 'Won',
  lost: 'Lost',
  spam: 'Spam',
}

const names = (state: string | null) => stateNames[state as LeadState] ?? state ?? ''

/** Describes an event in the history. The text follows the name of who did it. */
export function eventInWords({ what, from, to }: LeadEvent): string {
  switch (what) {
    case 'seen':
      return 'was the first to open it'
    case 'state':
      return from ? `moved it from ${names(from)} to ${names(to)}` : `moved it to ${names(to)}`
    case 'follow_up':
      return to ? `set a follow-up for ${day(to)}` : 'ended the follow-up'
    case 'verdict':
      return to === 'spam' ? 'said it is spam' : 'said it is not spam'
    case 'undone':
      return 'undid the last change'
    case 'note':
      return 'wrote a note'
    case 'note_undone':
      return 'undid a note'
    case 'answer':
      return 'answered'
    case 'answer_undone':
      return 'undid the answer before it was sent'
    case 'answer_failed':
      return 'could not deliver the answer'
  }
}

const whoElse: Record<string, string> = { shell: 'Somebody on the server', server: 'The mail system' }

/** "You", "anna", "The mail system". */
export const whoInWords = (who: string, me: string): string =>
  who === me ? 'You' : (whoElse[who] ?? who.replace(/@.*/, ''))

const emailKinds: Record<string, string> = {
  owner_notice: 'Notice to',
  visitor_receipt: 'Receipt to',
  answer: 'Answer to',
  answer_copy: 'Copy of the answer to',
}
const emailStates = {
  queued: 'waiting to be sent',
  sending: 'being sent',
  sent: 'accepted by the mail server',
  failed: 'not delivered',
  file: 'only written to a file',
}

/** "Receipt to ada@example.com: accepted by the mail server". */
export const emailInWords = ({ kind, recipient, state }: LeadEmail): string =>
  `${emailKinds[kind] ?? 'Email to'} ${recipient}: ${emailStates[state]}`
