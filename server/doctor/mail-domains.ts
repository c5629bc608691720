import type { Env } from '../env.ts'
import { errorFacts } from '../errors/error-facts.ts'
import { domainOf } from '../outbox/email.ts'
import { type CheckContext, type Found, ok, problem, warning } from './check.ts'

type Dns = Pick<CheckContext['dns'], 'resolveMx' | 'resolveTxt'>

/**
 * Checks the DNS records of the domain in MAIL_FROM. Without them, notices land in the spam folder.
 */
export async function checkSenderDomain({ MAIL_FROM }: Pick<Env, 'MAIL_FROM'>, dns: Dns): Promise<Found[]> {
  const domain = domainOf(MAIL_FROM)
  const dmarc = await findDmarc(domain, dns)
  const noDmarc = warning(
    `${domain} has no DMARC record: large email providers require one.`,
    `Add a TXT record to _dmarc.${domain} at your domain provider; to start: "v=DMARC1; p=none".`,
  )
  const spf = checkSpf(domain, await texts(domain, dns))
  return [spf, await checkDkim(domain, dmarc, dns), dmarc ? [] : noDmarc].flat()
}

function checkSpf(domain: string, texts: readonly string[]): Found {
  const records = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  const [record = ''] = records
  if (records.length > 1)
    return problem(
      `${domain} has ${records.length} SPF records, so receivers ignore all of them.`,
      'Merge them into one at your domain provider.',
    )
  // A parked domain says that nobody may send for it.
  if (record && !/^v=spf1 +-all$/i.test(record))
    return ok(`SPF: ${record} (check that it names your mail service)`)
  return problem(
    `${domain} has no SPF record that lets a mail server send for it.`,
    `Add the TXT record that your mail service gives you, such as "v=spf1 include:your-mail-service -all", to ${domain}. If that domain isn't yours, set MAIL_FROM to an address at your own.`,
  )
}

/**
 * Checks that the domain, or one above it, publishes DKIM keys: receivers count only a signature of
 * such a domain (alignment). A key's full name is known only to the mail service, but a name with
 * others below it exists, too (RFC 8020).
 */
async function checkDkim(domain: string, dmarc: string, { resolveTxt }: Dns): Promise<Found | []> {
  const isStrict = /\badkim=s\b/i.test(dmarc)
  for (const name of isStrict ? [domain] : withParents(domain))
    if (await ifAny(resolveTxt(`_domainkey.${name}`))) return []
  return warning(
    `${domain} has no DKIM key, so emails are not signed by your domain and may land in the spam folder.`,
    `Turn on DKIM for ${domain} at your mail service, and add the record that it shows you.`,
  )
}

/** A parent's DMARC record applies to its subdomains. */
async function findDmarc(domain: string, dns: Dns): Promise<string> {
  for (const name of withParents(domain)) {
    const record = (await texts(`_dmarc.${name}`, dns)).find((text) => /^v=DMARC1\b/i.test(text))
    if (record) return record
  }
  return ''
}

/** A domain and its parents, without the top-level domain. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
}

/** The TXT records of a name, each joined from pieces of up to 255 characters. */
const texts = async (name: string, { resolveTxt }: Dns): Promise<string[]> =>
  ((await ifAny(resolveTxt(name))) ?? []).map((pieces) => pieces.join(''))

/**
 * Returns undefined if there is no such name, and nothing if it has no such records. Throws if DNS
 * doesn't answer.
 */
async function ifAny<Item>(records: Promise<Item[]>): Promise<Item[] | undefined> {
  try {
    return await records
  } catch (error) {
    const { code } = errorFacts(error)
    if (code === 'ENODATA' || code === 'ENOTFOUND') return code === 'ENODATA' ? [] : undefined
    throw error
  }
}

/** Shows who gets the notices, and reports mailboxes that can't receive email. */
export async function checkRecipients({ MAIL_TO }: Pick<Env, 'MAIL_TO'>, dns: Dns): Promise<Found[]> {
  const found: Found[] = []
  for (const address of MAIL_TO) {
    const domain = domainOf({ address })
    // An address such as root@localhost is a local mailbox, which only the mail server knows.
    if (!domain.includes('.')) continue
    const servers = (await ifAny(dns.resolveMx(domain))) ?? []
    // An entry without a name means that there is no mail server (RFC 7505).
    if (servers.some(({ exchange }) => !/^\.?$/.test(exchange))) continue
    const seen = `Nobody gets the notices to ${address}: ${domain} has no mail server (MX record).`
    found.push(problem(seen, 'Correct MAIL_TO, then restart the server.'))
  }
  return found.length > 0 ? found : [ok(`Notices go to ${MAIL_TO.join(', ')}.`)]
}
