import type { StorageSettings } from '../../database/open-storage.ts'
import type { RecordingClient } from '../testing/recording-client.ts'
import type { KeptEmail } from '../testing/relay.ts'
import { expectThat } from './fault-case.ts'
import { queryDatabase, type StoredLead } from './query-database.ts'

type Evidence = { settings: StorageSettings; client: RecordingClient; mails: readonly KeptEmail[] }

/** Checks what must be true after every fault, once the program and the mail server work again. Returns a summary. */
export async function verify({ settings, client, mails }: Evidence): Promise<string> {
  const leads = await queryDatabase(settings, (stored) => stored.leads())
  const integrity = await queryDatabase(settings, (stored) => stored.integrity())
  const found = [
    ...(integrity === 'ok' ? [] : [`integrity_check: ${integrity}`]),
    ...[...lost(client, leads), ...duplicates(leads), ...notEmailed(client, mails)],
    ...[...unrecognizable(mails), ...unexpectedStatuses(client)],
  ]
  expectThat(found.length === 0, found.join('; '))
  return `${client.acknowledged().length} of ${client.entries.length} acknowledged, 0 lost, 0 duplicates, ${mails.length} emails`
}

type Leads = readonly StoredLead[]

const report = (count: number, what: string) => (count === 0 ? [] : [`${count} ${what}`])

export function lost(client: RecordingClient, leads: Leads): string[] {
  const byReference = new Map(leads.map((lead) => [lead.reference, lead]))
  const isLost = ({ reference = '', request }: RecordingClient['entries'][number]) =>
    byReference.get(reference)?.message !== request.message
  return report(client.acknowledged().filter(isLost).length, 'acknowledged requests lost')
}

// Every recorded request has a unique message, so a repeated message means that a request was stored twice.
export function duplicates(leads: Leads): string[] {
  return report(leads.length - new Set(leads.map(({ message }) => message)).size, 'leads stored twice')
}

function notEmailed(client: RecordingClient, mails: readonly KeptEmail[]): string[] {
  const mailed = new Set(mails.map(({ reference }) => reference))
  const missing = client.acknowledged().filter(({ reference = '' }) => !mailed.has(reference))
  return report(missing.length, 'acknowledged requests never emailed')
}

/** Finds emails about the same lead whose bytes differ. */
function unrecognizable(mails: readonly KeptEmail[]): string[] {
  const first = new Map<string, string>()
  const unexpected = mails.filter(({ reference, text }) => {
    const earlier = first.get(reference) ?? text
    first.set(reference, earlier)
    return text !== earlier
  })
  return report(unexpected.length, 'repeated emails that differ from the first')
}

function unexpectedStatuses(client: RecordingClient): string[] {
  const statuses = client.entries.flatMap((entry) => entry.statuses)
  const unexpected = statuses.filter((status) => ![0, 200, 503].includes(status))
  return report(unexpected.length, `responses other than 200 and 503 (${[...new Set(unexpected)]})`)
}
