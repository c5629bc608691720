import { type Env, envNames, InvalidEnvironment, parseEnv } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

type Source = Record<string, string | undefined>

const about = findingsAbout('settings')
// An unknown variable is reported only if its name begins like a setting's: all others come from the shell or the container.
const ourPrefixes = /^(SMTP|MAIL|SITE|TRUST|CONTACT|RETENTION|ALLOWED|DATA|BACKUP|DATABASE|VISITOR|LEAD)_/

/** Reads the settings as the server does. In `env`, defaults replace `unusable` settings, so that other checks can run. */
export function checkConfiguration(source: Source): {
  env: Env
  unusable: ReadonlySet<string>
  findings: Finding[]
} {
  const unknown = Object.keys(source).filter(
    (name) => source[name] && ourPrefixes.test(name) && !envNames.includes(name),
  )
  const warnings = unknown.map((name) =>
    about.warning(`${name} is set, but there is no such setting.`, 'See .env.example for all settings.'),
  )
  const { env, problems } = readSettings(source)
  const findings = problems.map(({ name, message }) =>
    about.problem(`${name} has an invalid value. ${message}.`, `Fix ${name}, then restart the server.`),
  )
  if (findings.length === 0) findings.push(about.ok('All values are valid.'))
  return { env, unusable: new Set(problems.map(({ name }) => name)), findings: [...findings, ...warnings] }
}

/** Parses the settings, leaving out the invalid ones. */
function readSettings(source: Source): { env: Env; problems: InvalidEnvironment['problems'] } {
  try {
    return { env: parseEnv(source), problems: [] }
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error
    const unusable = error.problems.map(({ name }) => name)
    const rest = Object.fromEntries(Object.entries(source).filter(([name]) => !unusable.includes(name)))
    const { env, problems } = readSettings(rest)
    return { env, problems: [...error.problems, ...problems] }
  }
}
