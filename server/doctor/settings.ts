import { isOneTypoAway } from '#shared/text/find-email-typo.ts'
import { type Env, envNames, InvalidEnvironment, parseEnv } from '../env.ts'
import { type Found, problem, warning } from './check.ts'

// An unknown variable is reported only if it looks like a setting: all others come from the shell
// or the container.
const ourPrefixes =
  /^(SMTP|IMAP|OAUTH|MAIL|SITE|TRUST|CONTACT|RETENTION|ALLOWED|DATA|BACKUP|DATABASE|VISITOR|LEAD)_/
const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Reads the settings as the server does. If one is invalid, there is no `env`: the server wouldn't
 * start either.
 */
export function checkSettings(source: Record<string, string | undefined>): { env?: Env; found: Found[] } {
  const found = Object.keys(source)
    .filter((name) => source[name] && !envNames.includes(name))
    .flatMap(checkName)
  try {
    return { env: parseEnv(source), found }
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error
    const advice = 'Correct it, restart the server, then run doctor again: it checks the rest.'
    const invalid = error.problems.map(({ name, message }) =>
      problem(`${name} has an invalid value. ${message}.`, advice),
    )
    return { found: [...invalid, ...found] }
  }
}

function checkName(name: string): Found | [] {
  if (name.startsWith(BYTE_ORDER_MARK))
    return warning(
      `.env begins with an invisible mark, so its first setting, ${name.slice(1)}, is not read.`,
      'Save .env as "UTF-8" instead of "UTF-8 with BOM", then restart the server.',
    )
  const meant = envNames.find((known) => isOneTypoAway(letters(name), letters(known)))
  if (!meant && !ourPrefixes.test(name)) return []
  const advice = meant ? `Write ${meant} instead.` : 'See .env.example for all settings.'
  return warning(`${name} is set, but there is no such setting.`, advice)
}

const letters = (name: string) => name.toUpperCase().replace(/[^A-Z]/g, '')
