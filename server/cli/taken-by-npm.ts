import type { Command } from 'commander'

// Options of npm too: there, it is not known whose they are.
const OF_NPM_TOO = ['json', 'yes']

/**
 * The option that npm has kept for itself, if any: without `--`, npm takes every option of `npm run leads list --since 7d`
 * and passes on only "7d". It leaves the name in the environment.
 */
export function takenByNpm(command: Command | undefined, env: NodeJS.ProcessEnv): string | undefined {
  if (env.npm_lifecycle_event !== 'leads') return undefined
  const isTaken = (name: string) => !OF_NPM_TOO.includes(name) && env[`npm_config_${name}`] !== undefined
  const option = command?.options.find(
    (option) => isTaken(option.attributeName()) || isTaken(option.short?.slice(1) ?? ''),
  )
  return option?.long
}
