import { errorFacts } from '../error-facts.ts'
import { type Finding, findingsAbout } from './finding.ts'
import { isReserved, isUnknownName } from './sender-domain.ts'

/** Looks up a domain's MX records, as `resolveMx` of `node:dns/promises` does. */
export type ResolveMx = (domain: string) => Promise<{ exchange: string }[]>

const about = findingsAbout('recipients')

/**
 * Shows who gets the notices, and reports mailboxes that can't receive email. Without a mail server, only lists the
 * mailboxes, because nothing is sent to them.
 */
export async function checkRecipients(
  mailTo: readonly string[],
  hasMailServer: boolean,
  resolveMx: ResolveMx,
): Promise<Finding[]> {
  if (!hasMailServer) return [about.ok(`Notices are addressed to ${mailTo.join(', ')}.`)]
  const findings: Finding[] = []
  const reachable: string[] = []
  for (const address of mailTo) {
    const finding = await checkMailbox(address, resolveMx)
    if (finding) findings.push(finding)
    else reachable.push(address)
  }
  return reachable.length > 0 ? [about.ok(`Notices go to ${reachable.join(', ')}.`), ...findings] : findings
}

async function checkMailbox(address: string, resolveMx: ResolveMx): Promise<Finding | undefined> {
  const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
  // An address such as root@localhost is a local mailbox, which only the mail server knows.
  if (!domain.includes('.')) return undefined
  const notices = `Notices go to ${address}, but`
  if (isReserved(domain))
    return about.problem(
      `${notices} that domain is reserved for examples, so nobody gets them.`,
      'Set MAIL_TO to your own address, then restart the server.',
    )
  try {
    const servers = await resolveMx(domain)
    // An entry without a name means that there is no mail server (RFC 7505).
    if (servers.some(({ exchange }) => exchange !== '' && exchange !== '.')) return undefined
    return about.problem(`${notices} ${domain} does not accept email.`, 'Check the spelling of MAIL_TO.')
  } catch (error) {
    return explainDnsError(error, notices, domain)
  }
}

function explainDnsError(error: unknown, notices: string, domain: string): Finding {
  if (isUnknownName(error))
    return about.problem(
      `${notices} this machine cannot find the domain ${domain}.`,
      'Check the spelling of MAIL_TO, and the DNS of this machine.',
    )
  if (errorFacts(error).code === 'ENODATA')
    return about.warning(
      `${notices} ${domain} has no mail server (MX record).`,
      'Check the spelling of MAIL_TO. If it is right, test it: doctor --send',
    )
  return about.warning(
    `${notices} the DNS lookup of ${domain} failed (${errorFacts(error).code ?? error}).`,
    'Check the DNS of this machine, then try again.',
  )
}
