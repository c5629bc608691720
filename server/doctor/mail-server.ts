import { tryLogin } from '../mail/mailer.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('mail server')

type Words = (host: string, reply: string) => [seen: string, advice: string]

const certificate: Words = (host, reply) => [
  `${host} shows a certificate that is not trusted: ${reply}.`,
  'Use the name that the certificate is made out to, or have it renewed. For a certificate of your own set NODE_EXTRA_CA_CERTS.',
]
const noAnswer: Words = (host) => [
  `${host} does not answer.`,
  'Check host and port in SMTP_URL, and whether a firewall lets mail out: many hosters close port 25 and ask for 587.',
]

// In `.env`, an unencoded # also ends the value.
const partOfPassword = 'If that is part of the password: write @ # / ? : % there as %40 %23 %2F %3F %3A %25.'

// By the code of the cause, or else of nodemailer.
const explanations: Record<string, Words> = {
  ECONNREFUSED: (host) => [
    `${host} refuses the connection: nothing listens there.`,
    'Check host and port in SMTP_URL (587 for smtp://, 465 for smtps://), and whether the mail server runs.',
  ],
  ENOTFOUND: (host) => [
    `There is no host ${host.replace(/:\d+$/, '')}.`,
    `Check the host name in SMTP_URL. ${partOfPassword}`,
  ],
  EAI_AGAIN: (host) => [
    `The name ${host} could not be looked up.`,
    `Check the DNS of this machine. ${partOfPassword}`,
  ],
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ETIMEDOUT: noAnswer,
  EAUTH: (host, reply) => [
    `${host} refuses user or password: ${reply}`,
    'Check both in SMTP_URL, where @ # / ? : % are written as %40 %23 %2F %3F %3A %25; some services want an app password.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: (host) => [
    `${host} does not begin with TLS, as smtps:// expects.`,
    'Write smtp:// with port 587: then TLS is switched on after the greeting.',
  ],
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  EPROTOCOL: (host, reply) => [
    `${host} does not take us, or is no mail server: ${reply}`,
    'Check host and port in SMTP_URL; if it is the right server, its operator can say why it refuses this machine.',
  ],
}

/** Logs in to the mail server as a send would, without sending, and explains what stands in the way. */
export async function checkMailServer(smtpUrl: string | undefined, patienceMs?: number): Promise<Finding> {
  if (!smtpUrl)
    return about.warning(
      'SMTP_URL is not set: no email is sent, each becomes a file in DATA_DIR/mail.',
      'Set SMTP_URL to your mail server, like smtp://user:password@mail.example.com:587.',
    )
  const { host, hostname, username } = new URL(smtpUrl)
  try {
    const { isEncrypted } = await tryLogin(smtpUrl, patienceMs)
    const login = username ? 'takes user and password' : 'takes the connection, without a login'
    if (isEncrypted || isNear(hostname))
      return about.ok(`${host} ${login}${isEncrypted ? ', encrypted' : ''}.`)
    return about.warning(
      `${host} ${login}, but offers no STARTTLS: leads travel in the clear.`,
      'Use smtps://, or a mail server that encrypts.',
    )
  } catch (error) {
    return about.problem(...explain(smtpUrl, error))
  }
}

/** What a failed login or send means, and what to do about it. */
export function explain(smtpUrl: string, error: unknown): [seen: string, advice: string] {
  const { host, port, protocol, username } = new URL(smtpUrl)
  const { code, originalCode, message, response, command } = Object(error) as Record<
    string,
    string | undefined
  >
  if (code === 'ETIMEDOUT' && protocol === 'smtp:' && port === '465')
    return [`${host} waits for TLS to begin.`, 'Write smtps:// for port 465.']
  if (command === 'STARTTLS' && username)
    return [
      `${host} offers no STARTTLS, so no email is sent: the password would travel in the clear.`,
      'Use smtps://, or a mail server that encrypts; or let your relay take emails from this machine without user and password, and leave them out of SMTP_URL.',
    ]
  const words = explanations[originalCode ?? ''] ?? explanations[code ?? '']
  const reply = printable(response ?? message ?? String(error))
  return words?.(host, reply) ?? [`${host}: ${reply}`, 'See what the mail server logs.']
}

// The same machine, or a container beside this one: there is no line to listen on.
const isNear = (hostname: string) => /^(127\.|\[::1\]$|[\w-]+$)/.test(hostname)

/** One line, without control characters. */
export const printable = (text: string) => text.replace(/[\p{C}]/gu, ' ').slice(0, 200)
