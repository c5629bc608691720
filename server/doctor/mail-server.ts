import { errorFacts } from '../errors/error-facts.ts'
import { explainReply, oneLine } from '../mail/mail-advice.ts'
import { tryLogin } from '../mail/mailer.ts'
import { needsToken, type Tokens } from '../mail/oauth.ts'
import { type Found, ok, problem, warning } from './check.ts'

// Usual host names of catchers. Their usual port, 1025, proves nothing: Proton Mail Bridge
// delivers, and uses it, too.
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
  const { meaning, advice } = explainReply(`${command} ${originalCode} ${code} ${reply}`, 'SMTP_URL')
  return problem(`${new URL(smtpUrl).host} ${meaning}: ${reply}`, advice)
}
