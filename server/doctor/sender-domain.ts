import { type Finding, findingsAbout } from './finding.ts'

/** The TXT records of a name, as `node:dns` gives them. */
export type ResolveTxt = (name: string) => Promise<string[][]>

const about = findingsAbout('sender domain')
// Reserved for examples and tests (RFC 2606, RFC 6761): no email can come from there or go there.
const reserved = /(^|\.)(example|test|invalid|localhost)$|(^|\.)example\.(com|net|org)$/

/** Whether a domain exists only for examples and tests. */
export const isReserved = (domain: string): boolean => reserved.test(domain)

/** Whether the domain of `MAIL_FROM` says who may send for it: without that, notices land among the spam. */
export async function checkSenderDomain(mailFrom: string, resolveTxt: ResolveTxt): Promise<Finding[]> {
  const domain = mailFrom.slice(mailFrom.lastIndexOf('@') + 1).toLowerCase()
  if (isReserved(domain))
    return [
      about.problem(
        `MAIL_FROM is ${mailFrom}: that domain is reserved for examples.`,
        'Set MAIL_FROM to an address of a domain that you own.',
      ),
    ]
  try {
    return [checkSpf(domain, await texts(domain, resolveTxt)), await checkDmarc(domain, resolveTxt)]
  } catch (error) {
    if (isUnknownName(error))
      return [
        about.problem(
          `There is no domain ${domain}, seen from this machine.`,
          'Check MAIL_FROM, and the DNS of this machine.',
        ),
      ]
    return [
      about.warning(
        `The records of ${domain} could not be looked up (${Object(error).code ?? error}).`,
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
      `${domain} has no SPF record: receivers cannot tell whether your mail server may send for it.`,
      `Add a TXT record to ${domain}, like "v=spf1 include:your-mail-service -all"; your mail service tells you which.`,
    )
  if (records.length > 1)
    return about.problem(
      `${domain} has ${records.length} SPF records: receivers then ignore them all.`,
      'Merge them into one.',
    )
  if (/^v=spf1 +-all$/i.test(record))
    return about.problem(
      `The SPF record of ${domain} says that nobody may send for it.`,
      'Add your mail service to it.',
    )
  if (/[ ]\+?all$/i.test(record))
    return about.problem(`The SPF record of ${domain} lets anybody send for it.`, 'End it with -all or ~all.')
  return about.ok(`SPF of ${domain}: ${record} (check that it names your mail service)`)
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
    `${domain} has no DMARC record: large receivers ask for one.`,
    `Add a TXT record to _dmarc.${domain}, "v=DMARC1; p=none" to start with.`,
  )
}

/** a.b.example.org, b.example.org, example.org: a domain above speaks for those below. */
function withParents(domain: string): string[] {
  const labels = domain.split('.')
  return labels.slice(0, -1).map((_label, index) => labels.slice(index).join('.'))
}

/** A record comes in pieces of 255 characters. A name without such records has none; one that is not there throws. */
async function texts(name: string, resolveTxt: ResolveTxt): Promise<string[]> {
  const records = await resolveTxt(name).catch((error) => {
    if (Object(error).code === 'ENODATA') return []
    throw error
  })
  return records.map((pieces) => pieces.join(''))
}

/** Whether a lookup says that there is no such name. */
export const isUnknownName = (error: unknown) => Object(error).code === 'ENOTFOUND'
