import type { Command } from 'commander'
import { countWeeks, formatWeeks } from '../lead-stats.ts'
import { weekCount } from '../options.ts'
import { print, printJson, terminalWidth } from '../print.ts'
import { withDatabase } from '../with-database.ts'

const DEFAULT_WEEKS = 12

export function addStats(program: Command) {
  program
    .command('stats')
    .description(
      'count the leads per week, by plan and source, without spam; suspected spam is counted separately',
    )
    .option('-w, --weeks <count>', 'how many weeks back', weekCount, DEFAULT_WEEKS)
    .option('--json', 'print a JSON array with one entry per week')
    .action(({ weeks, json }: { weeks: number; json?: true }) =>
      withDatabase(async (db) => {
        const stats = await countWeeks(db, new Date(), weeks)
        if (json) printJson(stats)
        else print(formatWeeks(stats, terminalWidth()))
      }),
    )
}
