import { join } from 'node:path'
import type { Command } from 'commander'
import { parseEnv } from '../../env.ts'
import { sampleEmails } from '../preview/sample-emails.ts'
import { writePreview } from '../preview/write-preview.ts'
import { print, printJson } from '../print.ts'

export function addPreview(program: Command) {
  program
    .command('preview')
    .description('write one email of each kind, with sample data, as .eml and .html files')
    .option('--to <folder>', 'where to write them; default: preview in DATA_DIR')
    .option('--json', 'print the path of the index page as a JSON object')
    .action(async ({ to, json }: { to?: string; json?: true }) => {
      const { DATA_DIR, MAIL_FROM, SITE_URL, INBOX } = parseEnv(process.env)
      const sender = {
        mailFrom: MAIL_FROM,
        siteUrl: SITE_URL ?? 'http://localhost:3000',
        hasInbox: INBOX === 'on',
      }
      const index = await writePreview(sampleEmails(sender), to ?? join(DATA_DIR, 'preview'))
      if (json) printJson({ index })
      else print(`Open this page in a browser:\n${index}`)
    })
}
