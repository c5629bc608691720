import { type Command, InvalidArgumentError, Option } from 'commander'
import { leadViews } from '#shared/inbox/lead.ts'
import { officeDay, startOfOfficeDay } from '#shared/office-time.ts'
import { cleanEmail, isEmail } from '#shared/text/clean-email.ts'
import { replaceInvisible } from '#shared/text/invisible-characters.ts'
import { DAY_MS, isDay } from '#shared/time/time-zone.ts'
import { type LeadFilter, mailStates } from '../inbox/export-leads.ts'
import { readReference } from '../leads/reference.ts'

const spansMs = { h: 60 * 60 * 1000, d: DAY_MS, w: 7 * DAY_MS }

export function wholeNumber(value: string): number {
  if (/^[1-9]\d{0,8}$/.test(value)) return Number(value)
  throw new InvalidArgumentError('Expected a whole number above 0.')
}

/** Parses a reference in the forms that people type. Returns other text trimmed. */
export function reference(value: string): string {
  const text = replaceInvisible(value, () => '').trim()
  return readReference(text) ?? text
}

/** Parses an email address, also as copied from an email program: `Ada <ada@example.com>`. */
export function address(value: string): string {
  const text = cleanEmail(value.trim())
  if (isEmail(text)) return text
  throw new InvalidArgumentError('Expected an email address like name@example.com.')
}

export type FilterOptions = Omit<LeadFilter, 'search'>

/** Adds the arguments that select leads. */
export const withFilter = (command: Command): Command =>
  command
    .argument(
      '[words...]',
      'only leads that contain this text; ignores case, accents and phone number formatting',
    )
    .addOption(new Option('--mail <state>', 'only leads whose email is in this state').choices(mailStates))
    .addOption(new Option('--view <view>', 'only leads in this view of the inbox').choices(leadViews))
    .option(
      '--since <when>',
      'only leads since a day (2026-03-31, today, yesterday) or within hours, days or weeks (12h, 7d, 4w)',
      (value) => since(value, new Date()),
    )

/** Combines the command's words and options into a filter. */
export function filterOf(words: string[], options: FilterOptions): LeadFilter {
  const search = words.join(' ').trim()
  return { ...options, ...(search && { search }) }
}

/** Parses the start of a day in the office's time zone, or a span back from now. */
export function since(value: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,4})([hdw])$/.exec(value) ?? []
  if (unit) return new Date(now.getTime() - Number(count) * spansMs[unit as keyof typeof spansMs])
  if (value === 'today') return startOfOfficeDay(officeDay(now))
  if (value === 'yesterday') return startOfOfficeDay(officeDay(now, -1))
  if (isDay(value)) return startOfOfficeDay(value)
  throw new InvalidArgumentError(
    'Expected a day such as 2026-03-31, today or yesterday, or a time span such as 12h, 7d or 4w.',
  )
}
