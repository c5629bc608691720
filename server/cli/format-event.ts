import { eventInWords } from '#shared/inbox/event-in-words.ts'
import type { EventRecord } from '../inbox/records/read-leads.ts'
import { officeTime } from '../leads/office-time.ts'
import { printable } from './terminal-text.ts'

/** Formats one entry of a lead's history: what happened, then the text of the note or answer, if any. */
export function formatEvent({ at, who, what, from_value: from, to_value: to, text }: EventRecord): string[] {
  const words = eventInWords({ what, from, to }, (date) => date)
  const heading = `  ${officeTime(at)}  ${printable(`${who}: ${words}`)}`
  const lines = text?.split('\n') ?? []
  return [heading, ...lines.map((line) => `${' '.repeat(23)}${printable(line)}`)]
}
