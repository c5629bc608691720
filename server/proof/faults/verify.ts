import type { StorageSettings } from '../../database/open-storage.ts'
import type { RecordingClient } from '../testing/recording-client.ts'
import type { KeptEmail } from '../testing/relay.ts'
import { expectThat } from './fault-case.ts'
import { queryDatabase, type StoredLead } from './query-database.ts'

type Evidence = { settings: StorageSettings; client: RecordingClient; mails: readonly KeptEmail[] }

/**
 * Checks what must be true after every fault, once the program and the mail server work again.
 * Returns a summary.
 */
export async function verify({ settings, client, mails }: Evidence): Promise<string> {
  const leads = await queryDatabase(settings, (stored) => stored.leads())
  const integrity = await queryDatabase(settings, (stored) => stored.integrity())
  const byReference = Map.groupBy(mails, ({ reference }) => reference)
  const notEmailed = client.acknowledged().filter(({ reference = '' }) => !byReference.has(reference))
  const different = [...byReference.values()].filter(([first, ...repeated]) =>
    repeated.some(({ text }) => text !== first?.text),
  )
  const statuses = client.entries.flatMap((entry) => entry.statuses)
  const unexpected = statuses.filter((status) => ![0, 200, 503].includes(status))
  const found = [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
    ...lostOrDouble(client, leads),
    ...report(notEmailed, 'acknowledged requests never emailed'),
    ...report(different, 'emails that differ when repeated'),
    ...report(unexpected, `responses other than 200 and 503 (${[...new Set(unexpected)]})`),
  ]
  expectThat(found.length === 0, found.join('; '))
  return `${client.acknowledged().length} of ${client.entries.length} acknowledged, 0 lost, 0 duplicates, ${mails.length} emails`
}

const report = ({ length }: readonly unknown[], what: string) => (length === 0 ? [] : [`${length} ${what}`])

/** Finds acknowledged requests that are not stored, or twice. */
export function lostOrDouble(client: RecordingClient, leads: readonly StoredLead[]): string[] {
  const byReference = new Map(leads.map((lead) => [lead.reference, lead.message]))
  const lost = client
    .acknowledged()
    .filter(({ reference = '', request }) => byReference.get(reference) !== request.message)
  // Every recorded request has a unique message.
  const byMessage = Map.groupBy(leads, ({ message }) => message)
  const double = [...byMessage.values()].filter(({ length }) => length > 1)
  return [...report(lost, 'acknowledged requests lost'), ...report(double, 'leads stored twice')]
}
