import { readFileSync } from 'node:fs'

/** Replaces every secret in a text. */
export type Redact = (text: string) => string

const REPLACEMENT = '[secret]'
// Too short to be secret: without them, the text would be unreadable.
const MIN_LENGTH = 4

// These settings are secret as a whole. In the webhook's URL, so is the path.
const isSecret =
  /^(SMTP_URL|IMAP_URL|DATABASE_URL|LEAD_WEBHOOK_URL|.*(_PASS|_KEY|PASSWORD|PASSWD|SECRET|TOKEN))$/i

/**
 * Creates the function that keeps secrets out of logs, error messages and reports. It knows the
 * secrets in the environment, even in invalid settings and in those of other programs, such as
 * `RESTIC_PASSWORD`; and URLs in the command's arguments.
 */
export function createRedaction(
  settings: Record<string, string | undefined>,
  args: readonly string[] = [],
): Redact {
  const all = [
    ...Object.entries(settings),
    ['SMTP_URL', contentOf(settings.SMTP_URL_FILE)] as const,
    ['SECRET', contentOf(settings.OAUTH_CLIENT_SECRET_FILE)] as const,
    ...args.map((value) => ['', value] as const),
  ]
  const secrets = all.flatMap(([name, value = '']) => secretsIn(name, value.trim())).flatMap(formsOf)
  const patterns = secrets
    .filter(({ length }) => length >= MIN_LENGTH)
    // The longest first, so that nothing is left of a secret that contains another one.
    .toSorted((a, b) => b.length - a.length)
    .map((secret) => secret.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'))
  // Ignores case, because a host name that is really a part of a password ends up in lower case.
  const pattern = new RegExp(patterns.join('|') || '(?!)', 'gi')
  return (text) =>
    added.reduce((shown, secret) => shown.replaceAll(secret, REPLACEMENT), text.replace(pattern, REPLACEMENT))
}

const added: string[] = []
// The newest tokens of a mail service, each in several forms.
const MAX_ADDED = 40

/**
 * Keeps another secret, such as a token that was issued, out of logs, error messages and reports.
 */
export function addSecret(secret: string): void {
  if (secret.length < MIN_LENGTH || added.includes(secret)) return
  added.push(...new Set(formsOf(secret)))
  added.splice(0, added.length - MAX_ADDED)
}

/** Redacts a line of JSON. */
export function redactJson(line: string, redact: Redact): string {
  // Most lines have no secret, so they aren't parsed. What quotes JSON is escaped twice, which
  // hides a secret with a quote.
  if (redact(line) === line && !line.includes('\\\\')) return line
  const redacted = JSON.parse(line, (_name, value) => (typeof value === 'string' ? redact(value) : value))
  return `${JSON.stringify(redacted)}\n`
}

function secretsIn(name: string, value: string): string[] {
  // Not `URL`, because the value may be invalid. The password ends at the last @: it may contain
  // some, unencoded.
  const rest = value.replace(/^.*?:\/\//s, '')
  const [, password = ''] = /^[^:/?#\s]*:(\S*)@/.exec(rest) ?? []
  const parameters = [...value.matchAll(/[?&][^=&]*(?:pass|secret|token)[^=&]*=([^&#]*)/gi)]
  return [
    ...(isSecret.test(name) ? [value, value.replace(/^whsec_/, '')] : []),
    ...(name === 'LEAD_WEBHOOK_URL' ? partsOf(rest.replace(/^[^/?#]*/, '')) : []),
    password,
    ...parameters.map(([, parameter = '']) => parameter),
  ]
}

/**
 * The path of a webhook, and its parts that may be secret: a receiver may quote only such a part.
 */
const partsOf = (path: string) => [path, ...path.split(/[/?&=#]/).filter(({ length }) => length >= 16)]

/** As given, decoded, and encoded in two ways, fully and as `URL` does; each also as in JSON. */
function formsOf(secret: string): string[] {
  const plain = decoded(secret).toWellFormed()
  const { password } = Object.assign(new URL('http://localhost'), { password: plain })
  const forms = [secret, plain, encodeURIComponent(plain), password]
  return forms.flatMap((form) => [form, JSON.stringify(form).slice(1, -1)])
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function contentOf(path: string | undefined): string {
  try {
    return path ? readFileSync(path.trim(), 'utf8') : ''
  } catch {
    return ''
  }
}
