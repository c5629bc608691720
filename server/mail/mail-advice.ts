/** How to write a password in the URL of a mail server. */
export const encoding =
  'in .env, in user and password, write @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24, because Docker Compose drops a $ and what follows'

/** How to let an app use a mailbox. */
export const letAppIn =
  'let the app use that mailbox: at Microsoft 365, with SMTP.SendAsApp and IMAP.AccessAsApp, admin consent, its service principal in Exchange (made with the Object ID of Enterprise applications), and Add-MailboxPermission; and check OAUTH_SCOPE.'

/** Even the right password is refused then. */
export const tooManyLogins = /too many (?:\w+ )?(?:login|auth|sign-?in)|login rate limit/i

export const waitToLogIn =
  'Wait an hour. If it says so again, the password is wrong: Gmail, Yahoo, and iCloud want an app password.'

/**
 * What a failure looks like (`command code reply`), what it means, and what to do. The first that
 * matches counts.
 */
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
    /unauthorized ip|\bIP\b.* not (?:authorized|allowed)/i,
    'does not accept the IP address of this machine',
    'Let your mail service accept it: at Brevo, under Settings > Security > Authorized IPs.',
  ],
  [
    /address is not verified/i,
    'accepts only verified addresses',
    'At Amazon SES, verify the domain of MAIL_FROM. If the reply names another address, your account is still in the sandbox: choose “Request production access” in its dashboard.',
  ],
  [tooManyLogins, 'has seen too many logins', waitToLogIn],
  [
    /quota|limit|exceed|too many/i,
    'has reached a limit',
    'Wait: an hour if the limit is for an hour, else until tomorrow. Or ask your mail service for more, and set EMAILS_A_DAY to what it allows in a day.',
  ],
  [
    /SmtpClientAuthentication is disabled/,
    'does not allow SMTP AUTH',
    'Let an administrator allow it for that mailbox: Set-CASMailbox -Identity ADDRESS -SmtpClientAuthenticationDisabled $false. That is enough, even if it speaks of the tenant. Security defaults turn it off, too.',
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
    `Copy user and password again from your mail service; the user is often the whole address. Gmail, Yahoo, and iCloud want an app password, and Microsoft 365 wants access tokens: see server/mail-services.md; ${encoding}.`,
  ],
  [
    /\b5\.1\.1\b|user unknown|no such user/i,
    'knows no such mailbox',
    'Correct MAIL_TO, or bring that mailbox back: the server keeps trying for five days.',
  ],
  [
    /sender.*(?:reject|denied|not owned|not allowed)|SendAs|Request failed; Mailbox unavailable/i,
    'refuses MAIL_FROM',
    'Set it to the address of the user in SMTP_URL, or let your mail service allow it. At Yahoo, this can also be the limit of a day: wait until tomorrow.',
  ],
  [
    // Connected, but the other side is silent (nodemailer's words), or speaks no TLS.
    /Greeting never received|\bTimeout$|WRONG_VERSION_NUMBER/,
    'does not answer as SMTP_URL expects',
    'In SMTP_URL, write smtps:// for port 465, or smtp:// for port 587. If it says that already, the mail server is down, or behind a firewall.',
  ],
  [
    /CERT|SELF_SIGNED|LEAF_SIGNATURE/,
    'has a certificate that is not trusted',
    'Write the host name of the certificate in SMTP_URL, or give the mail server a valid certificate, for example from Let’s Encrypt.',
  ],
  [
    /ENOTFOUND/,
    'does not exist',
    `Copy the name of the server again from your mail service; and ${encoding}.`,
  ],
  [
    /ECONNREFUSED|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH/,
    'cannot be reached',
    `Check the host and the port in SMTP_URL: 587 for smtp:// and 465 for smtps://, as a firewall of your hosting company may block 25; and ${encoding}.`,
  ],
]

/** What a mail server's reply means, and what to do. */
export function explainReply(reply: string) {
  const known = explanations.find(([pattern]) => pattern.test(reply))
  const [, meaning = 'does not work', advice = 'Ask your mail service what this reply means.'] = known ?? []
  return { meaning, advice }
}

/** Shortens a reply to one line without control characters, and OpenSSL's errors to their words. */
export const oneLine = (text: string) =>
  text.replace(/\w+:error:\w+:[^:]*:[^:]*:([^:]*):\S*|\p{C}/gu, '$1 ').slice(0, 200)
