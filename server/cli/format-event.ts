import { officeTime } from '../leads/office-time.ts'
import type { EventRecord } from './read-leads.ts'
import { printable } from './terminal-text.ts'

/** One entry of a lead's history, as lines: what happened, then the text of a note or an answer. */
export function formatEvent(event: EventRecord): string[] {
  const heading = `  ${officeTime(event.at)}  ${printable(`${event.who}: ${describe(event)}`)}`
  const lines = event.text?.split('\n') ?? []
  return [heading, ...lines.map((line) => `${' '.repeat(23)}${printable(line)}`)]
}

function describe({ what, from_value, to_value }: EventRecord): string {
  switch (what) {
    case 'seen':
      return 'was the first to open it'
    case 'state':
      return `${from_value} -> ${to_value}`
    case 'verdict':
      return to_value === 'spam' ? 'spam' : 'not spam'
    case 'follow_up':
      return to_value ? `follow up on ${to_value}` : 'ended the follow-up'
    case 'undone':
      return 'undid the last change'
    case 'note_undone':
      return 'note undone'
    case 'answer_undone':
      return 'answer undone'
    case 'answer_failed':
      return 'answer not delivered'
    default:
      return what
  }
}
