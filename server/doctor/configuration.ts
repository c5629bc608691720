import { type Env, envNames, InvalidEnvironment, parseEnv } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

type Source = Record<string, string | undefined>

const about = findingsAbout('settings')
// By what ours begin with. What the shell or the container brings along is none of our business.
const looksLikeOurs = /^(SMTP|MAIL|SITE|TRUST|CONTACT|RETENTION|ALLOWED|DATA|BACKUP|DATABASE|VISITOR|ALERT)_/

/** The settings as the server reads them; where one is `unusable`, `env` has its default, so that other checks can go on. */
export function checkConfiguration(source: Source): {
  env: Env
  unusable: ReadonlySet<string>
  findings: Finding[]
} {
  const strangers = Object.keys(source).filter(
    (name) => source[name] && looksLikeOurs.test(name) && !envNames.includes(name),
  )
  const warnings = strangers.map((name) =>
    about.warning(`${name} is set, but there is no such setting.`, 'See .env.example for the names.'),
  )
  const { env, problems } = readSettings(source)
  const findings = problems.map(({ name, message }) =>
    about.problem(`${name} cannot be used. ${message}.`, `Fix ${name}, then restart the server.`),
  )
  if (findings.length === 0) findings.push(about.ok('Every value can be read.'))
  return { env, unusable: new Set(problems.map(({ name }) => name)), findings: [...findings, ...warnings] }
}

/** Leaves out what cannot be used, until the rest can. */
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
