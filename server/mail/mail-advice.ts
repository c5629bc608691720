/** The settings that name mail servers. */
type Setting = 'SMTP_URL' | 'IMAP_URL'

const usualPorts = {
  SMTP_URL: 'smtps:// for port 465, or smtp:// for port 587',
  IMAP_URL: 'imaps:// for port 993, or imap:// for port 143',
}

const encoding =
  'in .env, in user and password, write @ # / ? : % $ as %40 %23 %2F %3F %3A %25 %24, because Docker Compose drops a $ and what follows'

/**
 * What a failure looks like (of SMTP, `command code reply`), what it means, and what to do. The
 * first that matches counts.
 */
const explanations: readonly [where: Setting | 'any', pattern: RegExp, meaning: string, advice: string][] = [
  [
    'SMTP_URL',
    /^STARTTLS/,
    'does not support STARTTLS, so no email is sent: the password would be sent unencrypted',
    'Write smtps:// in SMTP_URL, or, if it is your own relay, let it accept emails from this machine without user name and password, and remove both from SMTP_URL.',
  ],
  [
    'SMTP_URL',
    /\b[45]\.2\.2\b|mailbox (?:is )?full/i,
    'says that a mailbox is full',
    'Delete emails from that mailbox: the server keeps trying for five days.',
  ],
  [
    'SMTP_URL',
    /unauthorized ip|\bIP\b.* not (?:authorized|allowed)/i,
    'does not accept the IP address of this machine',
    'Let your mail service accept it: at Brevo, under Settings > Security > Authorized IPs.',
  ],
  [
    'SMTP_URL',
    /address is not verified/i,
    'accepts only verified addresses',
    'At Amazon SES, verify the domain of MAIL_FROM. If the reply names another address, your account is still in the sandbox: choose “Request production access” in its dashboard.',
  ],
  [
    'any',
    // Even the right password is refused then.
    /too many (?:\w+ )?(?:login|auth|sign-?in)|login rate limit/i,
    'has seen too many logins',
    'Wait an hour. If it says so again, the password is wrong: Gmail, Yahoo, and iCloud want an app password.',
  ],
  [
    'SMTP_URL',
    /quota|limit|exceed|too many/i,
    'has reached a limit',
    'Wait: an hour if the limit is for an hour, else until tomorrow. Or ask your mail service for more, and set EMAILS_A_DAY to what it allows in a day.',
  ],
  [
    'IMAP_URL',
    /quota|limit|exceed|too many/i,
    'has reached a limit',
    'Close other programs that read this mailbox, or wait: the server tries again each minute.',
  ],
  [
    'SMTP_URL',
    /SmtpClientAuthentication is disabled/,
    'does not allow SMTP AUTH',
    'Let an administrator allow it for that mailbox: Set-CASMailbox -Identity ADDRESS -SmtpClientAuthenticationDisabled $false. That is enough, even if it speaks of the tenant. Security defaults turn it off, too.',
  ],
  [
    'any',
    /issues no token/,
    'cannot be used without an access token',
    'See the check "access tokens" of doctor: it says what to do.',
  ],
  [
    'any',
    /AUTH XOAUTH2.*\b53[0458]\b|refused the access token/,
    'refuses the access token',
    'Check the user in {setting}, and let the app use that mailbox: at Microsoft 365, with SMTP.SendAsApp and IMAP.AccessAsApp, admin consent, its service principal in Exchange (made with the Object ID of Enterprise applications), and Add-MailboxPermission; and check OAUTH_SCOPE. To be read, a mailbox must allow IMAP: Set-CASMailbox -Identity ADDRESS -ImapEnabled $true.',
  ],
  [
    'any',
    /\bEAUTH\b|\b53[0458]\b|refused the login/,
    'refuses the user name or password',
    `Copy user and password again from your mail service; the user is often the whole address. Gmail, Yahoo, and iCloud want an app password, and Microsoft 365 wants access tokens: see server/mail-services.md; ${encoding}.`,
  ],
  [
    'SMTP_URL',
    /\b5\.1\.1\b|user unknown|no such user/i,
    'knows no such mailbox',
    'Correct MAIL_TO, or bring that mailbox back: the server keeps trying for five days.',
  ],
  [
    'SMTP_URL',
    /sender.*(?:reject|denied|not owned|not allowed)|SendAs|Request failed; Mailbox unavailable/i,
    'refuses MAIL_FROM',
    'Set it to the address of the user in SMTP_URL, or let your mail service allow it. At Yahoo, this can also be the limit of a day: wait until tomorrow.',
  ],
  [
    'any',
    // Connected, but the other side is silent (the words of nodemailer and ImapFlow), speaks no
    // TLS, or greets as a server of mailboxes does.
    /[Gg]reeting|[*+] ?OK\b|STARTTLS|\bTimeout$|WRONG_VERSION_NUMBER|wrong version number/,
    'does not answer as {setting} expects',
    'In {setting}, write {usual ports}. If it says that already, the mail server is down, or behind a firewall.',
  ],
  [
    'any',
    /certificate|CERT|SELF_SIGNED|LEAF_SIGNATURE/,
    'has a certificate that is not trusted',
    'Write the host name of the certificate in {setting}, or give the mail server a valid certificate, for example from Let’s Encrypt.',
  ],
  [
    'any',
    /ENOTFOUND/,
    'does not exist',
    `Copy the name of the server again from your mail service; and ${encoding}.`,
  ],
  [
    'any',
    /ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|establish connection/,
    'cannot be reached',
    `Check host and port in {setting}, which begins with {usual ports}. A firewall of your hosting company may block the port. And ${encoding}.`,
  ],
]

/** What a mail server's reply means, and what to do. */
export function explainReply(reply: string, setting: Setting) {
  const known = explanations.find(
    ([where, pattern]) => (where === 'any' || where === setting) && pattern.test(reply),
  )
  const [, , meaning = 'does not work', advice = 'Ask your mail service what this reply means.'] = known ?? []
  const filled = (text: string) =>
    text.replaceAll('{setting}', setting).replaceAll('{usual ports}', usualPorts[setting])
  return { meaning: filled(meaning), advice: filled(advice) }
}

/** Shortens a reply to one line without control characters, and OpenSSL's errors to their words. */
export const oneLine = (text: string) =>
  text.replace(/\w+:error:\w+:[^:]*:[^:]*:([^:]*):\S*|\p{C}/gu, '$1 ').slice(0, 200)
