import { type Env, envNames, InvalidEnvironment, parseEnv } from '../env.ts'
import { type Finding, findingsAbout } from './finding.ts'

type Source = Record<string, string | undefined>

const about = findingsAbout('settings')
// By what ours begin with. What the shell or the container brings along is none of our business.
const looksLikeOurs = /^(SMTP|MAIL|SITE|TRUST|CONTACT|RETENTION|ALLOWED|DATA|BACKUP|DATABASE|VISITOR|ALERT)_/

/** Reads the settings as the server does. What is wrong is left out of `env`, so that the other checks can go on. */
export function checkConfiguration(source: Source): { env: Env; findings: Finding[] } {
  const strangers = Object.keys(source).filter(
    (name) => source[name] && looksLikeOurs.test(name) && !envNames.includes(name),
  )
  const warnings = strangers.map((name) =>
    about.warning(`${name} is set, but there is no such setting.`, 'See .env.example for the names.'),
  )
  try {
    const env = parseEnv(source)
    return { env, findings: [about.ok('Every value can be read.'), ...warnings] }
  } catch (error) {
    if (!(error instanceof InvalidEnvironment)) throw error
    const wrong = new Set(error.problems.map(({ name }) => name))
    const rest = Object.fromEntries(Object.entries(source).filter(([name]) => !wrong.has(name)))
    const problems = error.problems.map(({ name, message }) =>
      about.problem(`${name} cannot be used. ${message}.`, `Mend ${name}, then start the server anew.`),
    )
    return { env: parseEnv(rest), findings: [...problems, ...warnings] }
  }
}
