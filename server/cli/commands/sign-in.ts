import type { Command } from 'commander'
import { CODE_MINUTES } from '#shared/inbox/api.ts'
import { type Env, parseEnv } from '../../env.ts'
import { createSignInLink } from '../../inbox/sign-in/codes.ts'
import { address } from '../options.ts'
import { CommandError, exitCodes, withDatabase } from '../run-command.ts'
import { print, printJson } from '../terminal.ts'

export function addSignIn(program: Command) {
  program
    .command('sign-in')
    .argument('[email]', 'one of the addresses in MAIL_TO; default: the first', address)
    .description(
      `print a link to sign in to the inbox; it works once, within ${CODE_MINUTES} minutes, in any browser`,
    )
    .option('--json', 'print the link as a JSON object')
    .action(async (email: string | undefined, { json }: { json?: true }) => {
      const env = parseEnv(process.env)
      if (env.INBOX === 'off') throw new CommandError('The inbox is turned off (INBOX=off).')
      const owner = ownerOf(env, email)
      await withDatabase(async (db) => {
        const link = await createSignInLink(
          db,
          owner,
          env.SITE_URL ?? `http://localhost:${env.PORT}`,
          new Date(),
        )
        if (json) printJson({ owner, ...link })
        else
          print(
            `Open this link within ${CODE_MINUTES} minutes to sign in as ${owner}. It works once:\n${link.url}`,
          )
      })
    })
}

function ownerOf({ MAIL_TO }: Env, email: string | undefined): string {
  const wanted = (email ?? MAIL_TO[0] ?? '').toLowerCase()
  const owner = MAIL_TO.find((one) => one.toLowerCase() === wanted)
  if (owner) return owner
  throw new CommandError(
    `${email} is not in MAIL_TO. The owners are: ${MAIL_TO.join(', ')}`,
    exitCodes.nothingDone,
  )
}
