import type { Command } from 'commander'

// These get no hint: npm has them, too, so the user may have meant them for npm.
const NPM_OPTIONS = ['json', 'yes']

/**
 * Returns a hint for the user if npm took one of our options. Without `--`, as in `npm run leads list --since 7d`, npm
 * passes only "list" and "7d" to us, and puts the name of the option in the environment.
 */
export function npmHint(program: Command, words: string[], env: NodeJS.ProcessEnv) {
  const script = program.name()
  if (env.npm_lifecycle_event !== script) return undefined
  const subcommand = program.commands.find((command) => command.name() === words[0])
  const option = findTakenOption(subcommand ?? program, words, env)
  const line = [script, '--', ...(subcommand ? [subcommand.name()] : []), option].join(' ')
  return option && `npm took ${option} for itself. Add -- like this: npm run ${line} ...`
}

function findTakenOption({ options }: Command, words: string[], env: NodeJS.ProcessEnv): string | undefined {
  const npmConfig = (name = '') => (NPM_OPTIONS.includes(name) ? undefined : env[`npm_config_${name}`])
  const taken = options.find(
    (option) => (npmConfig(option.attributeName()) ?? npmConfig(option.short?.slice(1))) !== undefined,
  )
  const limit = options.find(({ short }) => short === '-n')
  return (taken ?? (isLimitTaken(words, env) ? limit : undefined))?.long
}

/**
 * npm reads `-n` as `--no-yes`. But the user may have turned off `yes` for npm itself, so this also looks for a number
 * without an option, which shows that `-n` was meant for us.
 */
const isLimitTaken = (words: string[], env: NodeJS.ProcessEnv) =>
  env.npm_config_yes === '' &&
  words.some((word) => /^[1-9]\d{0,3}$/.test(word)) &&
  // If an option has reached us, the user did type `--`: npm took nothing.
  !words.some((word) => word.startsWith('-'))
