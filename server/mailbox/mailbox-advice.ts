import { encoding, letAppIn, tooManyLogins, waitToLogIn } from '../mail/mail-advice.ts'

/** What the reason looks like, and what to do. The first that matches counts. */
const advices: readonly [pattern: RegExp, advice: string][] = [
  [/issues no token/, 'See the check "access tokens" of doctor: it says what to do.'],
  [
    /refused the access token/,
    `Check the user in IMAP_URL, and ${letAppIn} IMAP must be on: Set-CASMailbox -Identity ADDRESS -ImapEnabled $true.`,
  ],
  [tooManyLogins, waitToLogIn],
  [
    /too many|limit|quota|exceed/i,
    'Close other programs that read this mailbox, or wait: the server tries again each minute.',
  ],
  [
    /refused the login/,
    `Copy user and password again from your mail service; the user is often the whole address. Gmail, Yahoo, and iCloud want an app password; Microsoft 365 wants access tokens: see server/mail-services.md; ${encoding}.`,
  ],
  [
    /certificate|CERT|SELF_SIGNED|LEAF_SIGNATURE/,
    'Write the host name of the certificate in IMAP_URL, or give the mail server a valid certificate, for example from Let’s Encrypt.',
  ],
  [
    // Connected, but the other side is silent (ImapFlow's words), or speaks no TLS.
    /greeting|STARTTLS|WRONG_VERSION_NUMBER|wrong version number/,
    'In IMAP_URL, write imaps:// for port 993, or imap:// for port 143. If it says that already, the mail server is down, or behind a firewall.',
  ],
  [/ENOTFOUND/, `Copy the name of the server again from your mail service; and ${encoding}.`],
  [
    /ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|establish connection/,
    `Check the host and the port in IMAP_URL: 993 for imaps:// and 143 for imap://; and ${encoding}.`,
  ],
]

/** What to do if the mailbox can't be read, for this reason. */
export const adviceFor = (reason: string): string =>
  advices.find(([pattern]) => pattern.test(reason))?.[1] ?? 'Ask your mail service what this reply means.'
