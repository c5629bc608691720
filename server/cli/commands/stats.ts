import type { Command } from 'commander'
import { print, printJson, terminalWidth, withDatabase } from '../command-line.ts'
import { countWeeks, formatWeeks } from '../lead-stats.ts'
import { weekCount } from '../options.ts'

const DEFAULT_WEEKS = 12

/** `leads stats` */
export function addStats(program: Command) {
  program
    .command('stats')
    .description('how many leads a week, and with which plan in mind; suspects are counted apart')
    .option('-w, --weeks <count>', 'how far back', weekCount, DEFAULT_WEEKS)
    .option('--json', 'as a JSON array, a week each')
    .action(({ weeks, json }: { weeks: number; json?: true }) =>
      withDatabase(async (db) => {
        const stats = await countWeeks(db, new Date(), weeks)
        if (json) printJson(stats)
        else print(formatWeeks(stats, terminalWidth()))
      }),
    )
}
