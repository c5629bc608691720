import { ImapFlow, type SearchObject } from 'imapflow'
import { errorFacts } from '../error-facts.ts'
import { isThisMachine } from '../mail/this-machine.ts'
import { MAX_BYTES, MAX_REPLY_BYTES, MAX_TOKENS } from './limits.ts'
import type { Folder } from './take-in.ts'

const SECOND_MS = 1_000

/**
 * A connection for reading. A password goes to another machine only over TLS. What fails is reported by the call that fails.
 */
export function createClient(imapUrl: string): ImapFlow {
  const { protocol, hostname, port, username, password } = new URL(imapUrl)
  const secure = protocol === 'imaps:'
  return new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? 993 : 143),
    secure,
    ...(!secure && !isThisMachine(hostname) && { doSTARTTLS: true }),
    auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    logger: false,
    connectionTimeout: 30 * SECOND_MS,
    greetingTimeout: 30 * SECOND_MS,
    socketTimeout: 120 * SECOND_MS,
    autoIdleDelay: 100,
    maxLiteralSize: 2 * MAX_BYTES,
    maxResponseSize: MAX_REPLY_BYTES,
    maxResponseTokens: MAX_TOKENS,
  }).on('error', () => {})
}

/** The folder's path; undefined if the mailbox has no folder of sent messages. */
export async function pathOf(client: ImapFlow, folder: Folder): Promise<string | undefined> {
  if (folder === 'inbox') return 'INBOX'
  return (await client.list()).find(({ specialUse }) => specialUse === '\\Sent')?.path
}

/** The UIDs of the messages that match. */
export async function find(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const found = await client.search(query, { uid: true })
  if (!found) throw new Error('The mail server cannot search the mailbox.')
  return found
}

/** What an IMAP server's refusal says. */
export function reasonOf(error: unknown): string {
  const { authenticationFailed, responseText, message } = Object(error)
  if (authenticationFailed) return `The mail server refused the login: ${responseText ?? message}`
  return String(responseText ?? errorFacts(error).message ?? error)
}
