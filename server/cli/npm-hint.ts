import type { Command } from 'commander'

// npm has these options too, so they may be meant for npm.
const OPTIONS_OF_NPM = ['json', 'yes']

/**
 * What to type if npm swallowed one of our options. Without `--`, npm keeps every option of
 * `npm run leads list --since 7d`, passes on only "list" and "7d", and puts the option's name in the environment.
 */
export function hintOnNpm(program: Command, words: string[], env: NodeJS.ProcessEnv) {
  const script = program.name()
  if (env.npm_lifecycle_event !== script) return undefined
  const subcommand = program.commands.find((command) => command.name() === words[0])
  const option = findSwallowed(subcommand ?? program, words, env)
  const line = [script, '--', ...(subcommand ? [subcommand.name()] : []), option].join(' ')
  return option && `npm took ${option} for itself. Add -- like this: npm run ${line} ...`
}

function findSwallowed({ options }: Command, words: string[], env: NodeJS.ProcessEnv): string | undefined {
  const leftByNpm = (name = '') => (OPTIONS_OF_NPM.includes(name) ? undefined : env[`npm_config_${name}`])
  const swallowed = options.filter(
    (option) => (leftByNpm(option.attributeName()) ?? leftByNpm(option.short?.slice(1))) !== undefined,
  )
  // `--no-suspects` sets `suspects` to an empty value.
  const meant = swallowed.find((option) => option.negate === (leftByNpm(option.attributeName()) === ''))
  const limit = options.find(({ short }) => short === '-n')
  return (meant ?? swallowed[0] ?? (isLimitSwallowed(words, env) ? limit : undefined))?.long
}

/** npm reads `-n` as `--no-yes`, which can also be a setting of npm; only the leftover number tells them apart. */
const isLimitSwallowed = (words: string[], env: NodeJS.ProcessEnv) =>
  env.npm_config_yes === '' &&
  words.some((word) => /^[1-9]\d{0,3}$/.test(word)) &&
  // Options only get through after `--`.
  !words.some((word) => word.startsWith('-'))
