import { type Command, Option } from 'commander'
import { leadViews } from '#shared/inbox/lead.ts'
import { type LeadFilter, mailStates } from '../inbox/reads/export-leads.ts'
import { since } from './options.ts'

export type FilterOptions = Omit<LeadFilter, 'search'> & { search?: string[] }

/** Adds the options that select leads. */
export const withFilter = (command: Command): Command =>
  command
    .argument('[words...]', 'same as --search')
    .option(
      '--search <words...>',
      'only leads that contain this text; ignores case, accents and phone number formatting',
    )
    .addOption(new Option('--mail <state>', 'only leads whose email is in this state').choices(mailStates))
    .addOption(new Option('--view <view>', 'only leads in this view of the inbox').choices(leadViews))
    .option(
      '--since <when>',
      'only leads since a day (2026-03-31, yesterday, monday) or within a number of hours, days, weeks or months (12h, 7d, 4w, "2 months")',
      since,
    )

/** Combines the command's words and options into a filter. */
export function filterOf(words: string[], { search = [], ...filter }: FilterOptions): LeadFilter {
  const text = [...search, ...words].join(' ').trim()
  return { ...filter, ...(text && { search: text }) }
}
