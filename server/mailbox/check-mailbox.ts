import { type Found, ok, problem, warning } from '../doctor/check.ts'
import { explainReply, oneLine } from '../doctor/mail-server.ts'
import { errorFacts } from '../error-facts.ts'
import { createClient, pathOf, reasonOf } from './imap.ts'

/** Logs in to the mailbox and looks for the folder of sent messages. Reads no message. */
export async function checkMailbox(imapUrl: string): Promise<Found> {
  const { host } = new URL(imapUrl)
  const client = createClient(imapUrl)
  try {
    await client.connect()
    if (await pathOf(client, 'sent')) return ok(`${host} shows the mailbox, and its folder of sent messages.`)
    return warning(
      `${host} has no folder of sent messages: what owners answer from an email program doesn't count as answered.`,
      'In the settings of that mailbox, turn on IMAP for the folder of sent messages.',
    )
  } catch (error) {
    const { code } = errorFacts(error)
    const reason = oneLine(reasonOf(error))
    const { advice } = explainReply(`${code === undefined ? 'EAUTH' : code} ${reason}`)
    return problem(
      `The mailbox at ${host} cannot be read. ${reason}`,
      advice.replaceAll('SMTP_URL', 'IMAP_URL'),
    )
  } finally {
    client.close()
  }
}
