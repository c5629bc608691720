import type { Command } from 'commander'

// Options of npm too: there, it is not known whose they are.
const OF_NPM_TOO = ['json', 'yes']

/**
 * What to type where npm has kept an option for itself, if any: without `--`, npm takes every option of
 * `npm run leads list --since 7d` and passes on only the words "list" and "7d". It leaves the name in the environment.
 */
export function hintOnNpm(command: Command | undefined, words: string[], env: NodeJS.ProcessEnv) {
  const script = (command?.parent ?? command)?.name()
  if (!command || env.npm_lifecycle_event !== script) return undefined
  const option = takenByNpm(command, words, env)
  const line = [script, '--', ...(command.parent ? [command.name()] : []), option].join(' ')
  return option && `npm took ${option} for itself. Add -- like this: npm run ${line} ...`
}

function takenByNpm({ options }: Command, words: string[], env: NodeJS.ProcessEnv): string | undefined {
  const leftFor = (name = '') => (OF_NPM_TOO.includes(name) ? undefined : env[`npm_config_${name}`])
  const taken = options.filter(
    (option) => (leftFor(option.attributeName()) ?? leftFor(option.short?.slice(1))) !== undefined,
  )
  // `--no-suspects` leaves an empty value under the name of `--suspects`.
  const meant = taken.find((option) => option.negate === (leftFor(option.attributeName()) === ''))
  const limit = options.find(({ short }) => short === '-n')
  return (meant ?? taken[0] ?? (isLimitTaken(words, env) ? limit : undefined))?.long
}

/** To npm, `-n` is `--no-yes`, which can be a setting as well: only the number that stays behind tells. */
const isLimitTaken = (words: string[], env: NodeJS.ProcessEnv) =>
  env.npm_config_yes === '' &&
  words.some((word) => /^[1-9]\d{0,3}$/.test(word)) &&
  // Options come through only after `--`.
  !words.some((word) => word.startsWith('-'))
