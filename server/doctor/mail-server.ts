import { errorFacts } from '../error-facts.ts'
import { tryLogin } from '../mail/mailer.ts'
import { needsToken, type Tokens } from '../mail/oauth.ts'
import { type Found, ok, problem, warning } from './check.ts'

/** How to write a password in the URL of a mail server. */
export const encoding =
  'in .env, in user and password, write @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24, because Docker Compose drops a $ and what follows'

/** How to let an app use a mailbox. */
export const letAppIn =
  'let the app use that mailbox: at Microsoft 365, with SMTP.SendAsApp and IMAP.AccessAsApp, admin consent, its service principal in Exchange, and Add-MailboxPermission.'

/** What a failure looks like (`command code reply`), what it means, and what to do. The first that matches counts. */
const explanations: readonly [pattern: RegExp, meaning: string, advice: string][] = [
  [
    /^STARTTLS/,
    'does not support STARTTLS, so no email is sent: the password would be sent unencrypted',
    'Write smtps:// in SMTP_URL, or, if it is your own relay, let it accept emails from this machine without user name and password, and remove both from SMTP_URL.',
  ],
  [
    /\b[45]\.2\.2\b|mailbox (?:is )?full/i,
    'says that a mailbox is full',
    'Delete emails from that mailbox: the server keeps trying for five days.',
  ],
  [
    /quota|limit|exceed|too many/i,
    'has reached a limit',
    'Wait until tomorrow or ask your mail service for more emails a day, and set EMAILS_A_DAY to what it allows.',
  ],
  [
    /SmtpClientAuthentication is disabled/,
    'does not allow SMTP AUTH',
    'Let an administrator allow it for that mailbox: Set-CASMailbox -Identity ADDRESS -SmtpClientAuthenticationDisabled $false; and for the organization, if it says so. Security defaults turn it off, too.',
  ],
  [
    /issues no token/,
    'cannot be used without an access token',
    'See the check "access tokens": it says what to do.',
  ],
  [/AUTH XOAUTH2.*\b53[0458]\b/, 'refuses the access token', `Check the user in SMTP_URL, and ${letAppIn}`],
  [
    /\bEAUTH\b|\b53[0458]\b/,
    'refuses the user name or password',
    `Copy user and password again from your mail service. Gmail and iCloud want an app password, and Microsoft 365 wants access tokens: see server/mail-services.md; ${encoding}.`,
  ],
  [
    /\b5\.1\.1\b|user unknown|no such user/i,
    'knows no such mailbox',
    'Correct MAIL_TO, or bring that mailbox back: the server keeps trying for five days.',
  ],
  [/sender.*(?:reject|denied)|SendAs/i, 'refuses MAIL_FROM', 'Set it to an address of your account there.'],
  [
    // Connected, but the other side is silent (nodemailer's words), or speaks no TLS.
    /Greeting never received|\bTimeout$|WRONG_VERSION_NUMBER/,
    'does not answer as SMTP_URL expects',
    'In SMTP_URL, write smtps:// for port 465, or smtp:// for port 587. If it says so, the mail server is down, or behind a firewall.',
  ],
  [
    /CERT|SELF_SIGNED|LEAF_SIGNATURE/,
    'has a certificate that is not trusted',
    'Write the host name of the certificate in SMTP_URL, or give the mail server a valid certificate, for example from Let’s Encrypt.',
  ],
  [
    /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'cannot be reached',
    `Check the host and the port in SMTP_URL: 587 for smtp:// and 465 for smtps://, as a firewall of your hosting company may block 25; and ${encoding}.`,
  ],
]

// Usual host names of catchers. Their usual port, 1025, proves nothing: Proton Mail Bridge delivers, and uses it, too.
const mailCatchers =
  /mail-?(?:catcher|pit|hog|dev)\b|smtp4dev|inbucket|greenmail|papercut|ethereal\.email|sandbox\.smtp\.mailtrap\.io/i

/** Logs in to the mail server without sending an email, and explains a failure. */
export async function checkMailServer(smtpUrl: string | undefined, tokens?: Tokens): Promise<Found> {
  if (!smtpUrl)
    return warning(
      'SMTP_URL is not set: no email is sent. Each is kept, as a file in DATA_DIR/mail or, if SMTP_URL was set before, in the queue.',
      'Set SMTP_URL to your mail server, like smtp://user:password@mail.example.com:587.',
    )
  const { host, hostname, username } = new URL(smtpUrl)
  if (mailCatchers.test(hostname))
    return warning(
      `${host} is a mail catcher: it accepts every email and delivers none, but each is listed as delivered.`,
      'For a live site, set SMTP_URL to your mail server, and look in the inbox for requests that reached you by no email.',
    )
  try {
    await tryLogin(smtpUrl, tokens)
    const login = tokens && needsToken(smtpUrl) ? 'access token' : 'user name and password'
    return ok(`${host} accepts the ${username ? login : 'connection'}.`)
  } catch (error) {
    const found = explainMailError(smtpUrl, error)
    const port = isBlocked.test(found.seen) && (await findOtherPort(hostname))
    if (!port) return found
    return problem(
      found.seen,
      `Port ${port} of ${hostname} answers: in SMTP_URL, write smtp:// and :${port}.`,
    )
  }
}

const isBlocked = /cannot be reached|does not answer/
// Many mail services listen there, too, because hosting companies block the usual ports.
const OTHER_PORTS = [2525, 2587]

/** The first of the other ports that answers as a mail server. */
async function findOtherPort(hostname: string): Promise<number | undefined> {
  const tries = OTHER_PORTS.map((port) => tryLogin(`smtp://${hostname}:${port}`).then(() => port))
  return Promise.any(tries).catch(() => undefined)
}

/** Explains a failed login or send, and what to do. */
export function explainMailError(smtpUrl: string, error: unknown): Found {
  const { code, originalCode, message, response, command } = errorFacts(error)
  const reply = oneLine(response ?? message ?? String(error))
  const { meaning, advice } = explainReply(`${command} ${originalCode} ${code} ${reply}`)
  return problem(`${new URL(smtpUrl).host} ${meaning}: ${reply}`, advice)
}

/** What a mail server's reply means, and what to do. */
export function explainReply(reply: string) {
  const known = explanations.find(([pattern]) => pattern.test(reply))
  const [, meaning = 'does not work', advice = 'Ask your mail service what this reply means.'] = known ?? []
  return { meaning, advice }
}

/** Shortens a reply to one line without control characters, and OpenSSL's errors to their words. */
export const oneLine = (text: string) =>
  text.replace(/\w+:error:\w+:[^:]*:[^:]*:([^:]*):\S*|\p{C}/gu, '$1 ').slice(0, 200)
