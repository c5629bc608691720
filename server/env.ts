import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { brand } from '#facts/brand.ts'
import { OperatorError } from './errors/error-facts.ts'
import type { MailAddress } from './mail/mailer.ts'
import { isThisMachine } from './mail/this-machine.ts'

const wholeNumber = (minimum: number, maximum: number) =>
  z.coerce.number('Expected a whole number').int().min(minimum).max(maximum)

const commaSeparated = (value: string) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()
const onOrOff = z.enum(['on', 'off'], 'Expected on or off')

const domainHint = 'write a domain with a letter such as ü as xn--...'

const mailAddress = z.email({
  pattern: z.regexes.html5Email,
  error: `Expected addresses like name@example.com, separated by commas, without names; ${domainHint}`,
})

// The origin becomes part of the page's HTML, where a quote would end an attribute, but Node.js
// accepts quotes in a host.
const origin = z
  .url({
    protocol: /^https?$/,
    hostname: /^[\w.:[\]-]+$/,
    error: 'Expected an address like https://example.com',
  })
  .transform((value) => new URL(value))
  .refine(({ origin, href }) => href === `${origin}/`, 'Expected scheme and host, nothing else')
  .transform(({ origin }) => origin)

const proxies = z
  .array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()]))
  .min(1)
  .refine((list) => !list.some((range) => range.endsWith('/0')))

// `true` would let any visitor forge their IP address, so only a count or a list is accepted.
const trustProxy = z
  .string()
  .transform((value) => (/^\d$/.test(value) ? Number(value) : commaSeparated(value)))
  .pipe(z.union([z.number(), proxies], 'Expected the number of proxies, or their addresses as a CIDR list'))

// "Agency <hello@example.com>" or only the address. Quotes around the name are optional.
const sender = z.string().transform((value, context): MailAddress => {
  const [, name, inBrackets] = /^"?([^"<>\p{Cc}]*?)"?\s*<([^<>]*)>$/u.exec(value) ?? []
  const address = mailAddress.safeParse(inBrackets ?? value)
  if (address.success) return { address: address.data, name: name || undefined }
  context.addIssue(`Expected an address like name@example.com, or Name <name@example.com>; ${domainHint}`)
  return z.NEVER
})

const encodingHint = 'in user and password, write @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24'

const hasOnlyCodes = (value: string) => {
  try {
    return decodeURIComponent(value) !== ''
  } catch {
    return false
  }
}
const codesHint = `Expected % only in codes such as %40, or %C3%A4 for ä (UTF-8); ${encodingHint}`

// If a password contains an unencoded #, / or ?, its first part is parsed as the host, and the rest
// as path, query or hash.
const mailServer = (protocol: RegExp, expected: string) =>
  z
    .url({ protocol, hostname: /./, error: `Expected ${expected}; ${encodingHint}`, abort: true })
    .refine((value) => {
      const { pathname, search, hash } = new URL(value)
      return hash === '' && (pathname === '' || pathname === '/') && !search.includes('@')
    }, `Expected nothing after host and port; ${encodingHint}`)
    .refine(hasOnlyCodes, codesHint)

const smtpUrl = mailServer(/^smtps?$/, 'smtp://user:password@host:587 or smtps://...')
const imapUrl = mailServer(/^imaps?$/, 'imaps://user:password@host')

const databaseUrl = z
  .url({
    protocol: /^postgres(ql)?$/,
    error: `Expected postgres://user:password@host:5432/name; ${encodingHint}`,
  })
  .refine(hasOnlyCodes, codesHint)

const httpUrl = z.url({
  protocol: /^https?$/,
  hostname: /./,
  error: 'Expected https://...',
  abort: true,
})

const tokenUrl = httpUrl.refine(
  (value) => /^https:/i.test(value) || isThisMachine(new URL(value).hostname),
  'Expected https://, because the client secret is sent there',
)

// `fetch` accepts no login in a URL.
const webhookUrl = httpUrl.refine(
  (value) => !/\/\/[^/?#]*@/.test(value),
  'Expected no user name or password before the host',
)

const makeSecret = 'to make one: echo whsec_$(openssl rand -base64 32)'

// The Standard Webhooks specification requires this format: 24 to 64 bytes in base64.
const webhookSecret = z
  .string()
  .regex(
    /^whsec_(?=.{32,88}$)([A-Za-z0-9+/]{4})+([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
    `Expected whsec_ and 24 to 64 random bytes in base64; ${makeSecret}`,
  )

// Docker and Kubernetes mount secrets as files, to keep them out of the environment.
const secretFile = z.string().transform((path, context) => {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    context.addIssue('The file cannot be read')
    return z.NEVER
  }
})

const settings = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  HOST: z.string().optional(),
  SITE_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  BACKUP_DIR: z.string().optional(),
  BACKUP_EVERY_HOURS: wholeNumber(1, 168).default(24),
  DATABASE_URL: databaseUrl.optional(),
  SMTP_URL: smtpUrl.optional(),
  SMTP_URL_FILE: secretFile.pipe(smtpUrl).optional(),
  IMAP_URL: imapUrl.optional(),
  OAUTH_TOKEN_URL: tokenUrl.optional(),
  OAUTH_CLIENT_ID: z.string().optional(),
  OAUTH_CLIENT_SECRET: z.string().optional(),
  OAUTH_CLIENT_SECRET_FILE: secretFile.optional(),
  OAUTH_SCOPE: z.string().optional(),
  OAUTH_REFRESH_TOKEN: z.string().optional(),
  MAIL_FROM: sender.default({ address: brand.email }),
  MAIL_TO: z
    .string()
    .transform(commaSeparated)
    .pipe(z.array(mailAddress).min(1, 'Expected at least one address'))
    .transform((all) => all.filter((one, index) => index === all.findIndex((other) => isSame(one, other))))
    .default([brand.email]),
  TRUST_PROXY: trustProxy.default(0),
  ALLOWED_ORIGINS: z.string().transform(commaSeparated).pipe(z.array(origin)).default([]),
  CONTACT_LIMIT: wholeNumber(1, 1_000_000).default(20),
  CONTACT_LIMIT_WINDOW_SECONDS: wholeNumber(1, 86_400).default(600),
  EMAILS_A_DAY: wholeNumber(0, 1_000_000).default(300),
  VISITOR_RECEIPT: onOrOff.default('off'),
  LEAD_WEBHOOK_URL: webhookUrl.optional(),
  LEAD_WEBHOOK_SECRET: webhookSecret.optional(),
  INBOX: onOrOff.default('on'),
  REMINDERS: onOrOff.default('on'),
  RETENTION_DAYS: wholeNumber(0, 36_500).default(0),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
})

const schema = settings
  .transform(({ SMTP_URL_FILE, OAUTH_CLIENT_SECRET_FILE, ...given }) => ({
    ...given,
    SMTP_URL: given.SMTP_URL ?? SMTP_URL_FILE,
    OAUTH_CLIENT_SECRET: given.OAUTH_CLIENT_SECRET ?? OAUTH_CLIENT_SECRET_FILE,
    BACKUP_DIR: given.BACKUP_DIR ?? join(given.DATA_DIR, 'backups'),
  }))
  .refine(({ LEAD_WEBHOOK_URL, LEAD_WEBHOOK_SECRET }) => !LEAD_WEBHOOK_URL || LEAD_WEBHOOK_SECRET, {
    path: ['LEAD_WEBHOOK_URL'],
    message: `LEAD_WEBHOOK_SECRET is not set; ${makeSecret}`,
  })
  .refine((given) => !given.OAUTH_TOKEN_URL || (given.OAUTH_CLIENT_ID && given.OAUTH_CLIENT_SECRET), {
    path: ['OAUTH_TOKEN_URL'],
    message: 'OAUTH_CLIENT_ID or OAUTH_CLIENT_SECRET is not set',
  })
  .transform(
    ({
      LEAD_WEBHOOK_URL: url,
      LEAD_WEBHOOK_SECRET: secret,
      OAUTH_TOKEN_URL: tokenUrl,
      OAUTH_CLIENT_ID: clientId = '',
      OAUTH_CLIENT_SECRET: clientSecret = '',
      OAUTH_SCOPE: scope,
      OAUTH_REFRESH_TOKEN: refreshToken,
      ...given
    }) => ({
      ...given,
      webhook: url && secret ? { url, secret } : undefined,
      oauth: tokenUrl ? { tokenUrl, clientId, clientSecret, scope, refreshToken } : undefined,
    }),
  )

export type Env = Readonly<z.infer<typeof schema>>

/** The names of all settings. */
export const envNames = Object.keys(settings.shape)

/**
 * Reads the environment. Throws a single error that lists all invalid settings without printing any
 * value.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  // Docker Compose passes `NAME=` as an empty string: treat it as not set.
  const trimmed = Object.entries(source).map(([name, value]) => [name, value?.trim()])
  const given = Object.fromEntries(trimmed.filter(([, value]) => value))
  const result = schema.safeParse(given)
  if (result.success) return Object.freeze(result.data)
  const problems = result.error.issues.map(({ path, message }) => ({ name: String(path[0]), message }))
  // Report only the first problem of each setting, such as the first wrong address of a list.
  throw new InvalidEnvironment(
    problems.filter(({ name }, index) => problems.findIndex((first) => first.name === name) === index),
  )
}

/** Problems for the operator to fix. */
export class InvalidEnvironment extends OperatorError {
  readonly problems: readonly { name: string; message: string }[]

  constructor(problems: InvalidEnvironment['problems']) {
    super(`Invalid settings:\n${problems.map(({ name, message }) => `  ${name}: ${message}`).join('\n')}`)
    this.problems = problems
  }
}
