import { errorFacts } from '../error-facts.ts'
import { type Finding, findingsAbout } from './finding.ts'

/** Looks up a name's TXT records, as `resolveTxt` of `node:dns/promises` does. */
export type ResolveTxt = (name: string) => Promise<string[][]>

const about = findingsAbout('sender domain')
// These names are reserved by RFC 2606 and RFC 6761.
const reserved = /(^|\.)(example|test|invalid|localhost)$|(^|\.)example\.(com|net|org)$/

/** Whether a domain is reserved for examples and tests. */
export const isReserved = (domain: string): boolean => reserved.test(domain)

/** Checks the SPF and DMARC records of the `MAIL_FROM` domain. Without them, notices may land in the spam folder. */
export async function checkSenderDomain(mailFrom: string, resolveTxt: ResolveTxt): Promise<Finding[]> {
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase()
  if (isReserved(domain))
    return [
      about.problem(
        `MAIL_FROM is ${mailFrom}, but that domain is reserved for examples.`,
        'Set MAIL_FROM to an address at your own domain.',
      ),
    ]
  try {
    return [checkSpf(domain, await texts(domain, resolveTxt)), await checkDmarc(domain, resolveTxt)]
  } catch (error) {
    if (isUnknownName(error))
      return [
        about.problem(
          `This machine cannot find the domain ${domain}.`,
          'Check MAIL_FROM, and the DNS of this machine.',
        ),
      ]
    return [
      about.warning(
        `The DNS lookup of ${domain} failed (${errorFacts(error).code ?? error}).`,
        'Check the DNS of this machine, then try again.',
      ),
    ]
  }
}

function checkSpf(domain: string, texts: readonly string[]): Finding {
  const records = texts.filter((text) => /^v=spf1( |$)/i.test(text))
  const [record = ''] = records
  if (records.length === 0)
    return about.problem(
      `${domain} has no SPF record: receivers cannot tell if your mail server may send for it.`,
      `Add a TXT record to ${domain}, such as "v=spf1 include:your-mail-service -all". The documentation of your mail service has the exact value.`,
    )
  if (records.length > 1)
    return about.problem(
      `${domain} has ${records.length} SPF records, so receivers ignore all of them.`,
      'Merge them into one record.',
    )
  if (/^v=spf1 +-all$/i.test(record))
    return about.problem(
      `The SPF record of ${domain} says that nobody may send for it.`,
      'Add your mail service to it.',
    )
  if (/[ ]\+?all$/i.test(record))
    return about.problem(`The SPF record of ${domain} lets anyone send for it.`, 'End it with -all or ~all.')
  return about.ok(`SPF of ${domain}: ${record} (check that it includes your mail service)`)
}

async function checkDmarc(domain: string, resolveTxt: ResolveTxt): Promise<Finding> {
  for (const name of withParents(domain)) {
    const found = await texts(`_dmarc.${name}`, resolveTxt).catch((error) => {
      if (isUnknownName(error)) return []
      throw error
    })
    const record = found.find((text) => /^v=DMARC1\b/i.test(text))
    if (record) return about.ok(`DMARC of ${name}: ${record}`)
  }
  return about.warning(
    `${domain} has no DMARC record: large email providers require one.`,
    `Add a TXT record to _dmarc.${domain}. To start: "v=DMARC1; p=none"`,
  )
}

/** Returns a domain and its parents, without the top-level domain: a parent's DMARC record applies to its subdomains. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
}

/** Returns the TXT records of a name, each joined from pieces of up to 255 characters. Throws if the name doesn't exist. */
async function texts(name: string, resolveTxt: ResolveTxt): Promise<string[]> {
  const records = await resolveTxt(name).catch((error) => {
    if (errorFacts(error).code === 'ENODATA') return []
    throw error
  })
  return records.map((pieces) => pieces.join(''))
}

/** Whether a DNS lookup failed because the name does not exist. */
export const isUnknownName = (error: unknown) => errorFacts(error).code === 'ENOTFOUND'
