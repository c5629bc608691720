import { errorFacts } from '../error-facts.ts'
import { tryLogin } from '../mail/mailer.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { isNearby } from './network.ts'

const about = findingsAbout('mail server')

type Explanation = (host: string, reply: string) => [seen: string, advice: string]

const certificate: Explanation = (host, reply) => [
  `${host} has a certificate that is not trusted: ${reply}.`,
  'Use the host name in the certificate, or renew the certificate. For a self-signed certificate, set NODE_EXTRA_CA_CERTS.',
]
const noAnswer: Explanation = (host) => [
  `${host} does not respond.`,
  'Check the host and port in SMTP_URL, and whether a firewall blocks outgoing email. Many hosting companies block port 25; use 587.',
]

// In `.env`, an unencoded # starts a comment, so part of a password can end up in place of the host.
const partOfPassword = 'If that is part of the password, encode @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24.'

// Each key is the error code of the cause, or nodemailer's own code if the cause is unknown.
const explanations: Record<string, Explanation> = {
  ECONNREFUSED: (host) => [
    `${host} refuses the connection.`,
    'Check the host and port in SMTP_URL (587 for smtp://, 465 for smtps://), and whether the mail server is running.',
  ],
  ENOTFOUND: (host) => [
    `There is no host ${host.replace(/:\d+$/, '')}.`,
    `Check the host name in SMTP_URL. ${partOfPassword}`,
  ],
  EAI_AGAIN: (host) => [
    `The DNS lookup of ${host} failed.`,
    `Check the DNS of this machine. ${partOfPassword}`,
  ],
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ETIMEDOUT: noAnswer,
  EAUTH: (host, reply) => [
    `${host} refuses the user name or password: ${reply}`,
    'Check both in SMTP_URL, and encode @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24. Some services require an app password.',
  ],
  ERR_SSL_WRONG_VERSION_NUMBER: (host) => [
    `${host} does not start with TLS, but smtps:// requires it.`,
    'Use smtp:// with port 587: it turns on TLS after connecting.',
  ],
  CERT_HAS_EXPIRED: certificate,
  DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
  SELF_SIGNED_CERT_IN_CHAIN: certificate,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: certificate,
  ERR_TLS_CERT_ALTNAME_INVALID: certificate,
  EPROTOCOL: (host, reply) => [
    `${host} rejects this machine or is not a mail server: ${reply}`,
    'Check the host and port in SMTP_URL. If they are right, ask the mail service why it rejects this machine.',
  ],
}

// Usual host names of catchers. Their usual port, 1025, proves nothing: Proton Mail Bridge delivers, and uses it, too.
const mailCatchers =
  /mail-?(?:catcher|pit|hog|dev)\b|smtp4dev|inbucket|greenmail|papercut|ethereal\.email|sandbox\.smtp\.mailtrap\.io/i

/** Logs in to the mail server without sending an email, and explains a failure. */
export async function checkMailServer(smtpUrl: string | undefined, timeoutMs?: number): Promise<Finding> {
  if (!smtpUrl)
    return about.warning(
      'SMTP_URL is not set: no email is sent. Each one is saved as a file in DATA_DIR/mail instead.',
      'Set SMTP_URL to your mail server, like smtp://user:password@mail.example.com:587.',
    )
  const { host, hostname, username } = new URL(smtpUrl)
  if (mailCatchers.test(hostname))
    return about.warning(
      `${host} is a mail catcher: it accepts every email and delivers none, but each is listed as delivered.`,
      'For a live site, set SMTP_URL to your mail server, then run `leads resend` for each lead since the change.',
    )
  try {
    const isEncrypted = await tryLogin(smtpUrl, timeoutMs)
    const login = username ? 'accepts the user name and password' : 'accepts the connection, without a login'
    if (isEncrypted || isNearby(hostname))
      return about.ok(`${host} ${login}${isEncrypted ? ', encrypted' : ''}.`)
    return about.warning(
      `${host} ${login}, but does not support STARTTLS: leads are sent unencrypted.`,
      'Use smtps://, or a mail server that supports encryption.',
    )
  } catch (error) {
    return about.problem(...explainMailError(smtpUrl, error))
  }
}

/** Explains a failed login or send, and what to do. */
export function explainMailError(smtpUrl: string, error: unknown): [seen: string, advice: string] {
  const { host, port, protocol, username } = new URL(smtpUrl)
  const { code, originalCode, message, response, command } = errorFacts(error)
  if (code === 'ETIMEDOUT' && protocol === 'smtp:' && port === '465')
    return [`${host} expects TLS from the start.`, 'Use smtps:// for port 465.']
  if (command === 'STARTTLS' && username)
    return [
      `${host} does not support STARTTLS, so no email is sent: the password would be sent unencrypted.`,
      'Use smtps://, or a mail server that supports encryption. Or configure your relay to accept email from this machine without a user name and password, and remove them from SMTP_URL.',
    ]
  const explain = explanations[originalCode ?? ''] ?? explanations[code ?? '']
  const reply = oneLine(response ?? message ?? String(error))
  return explain?.(host, reply) ?? [`${host}: ${reply}`, 'Check the log of the mail server.']
}

/** Shortens a reply to one line without control characters. */
export const oneLine = (text: string) => text.replace(/[\p{C}]/gu, ' ').slice(0, 200)
