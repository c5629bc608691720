import { count } from '../count.ts'
import type { Database } from '../database/schema.ts'
import { type Finding, findingsAbout } from './finding.ts'

const about = findingsAbout('passkeys')

/** Counts the passkeys that match the host name in SITE_URL, and those that don't: browsers offer only those that match. */
export async function checkPasskeys(db: Database, siteUrl: string | undefined): Promise<Finding[]> {
  if (!siteUrl) return []
  const { hostname } = new URL(siteUrl)
  const hosts = await db
    .selectFrom('passkeys')
    .select(({ fn }) => ['host', fn.countAll<number>().as('passkeys')])
    .groupBy('host')
    .orderBy('host')
    .execute()
  const usable = hosts.filter(({ host }) => host === hostname).map(({ passkeys }) => passkeys)
  const lost = hosts.filter(({ host }) => host !== hostname)
  return [
    ...usable.map((passkeys) => about.ok(`${count(passkeys, 'passkey')} for ${hostname}.`)),
    ...lost.map(({ host, passkeys }) =>
      about.warning(
        `${count(passkeys, 'passkey was', 'passkeys were')} added at ${host} and cannot be used at ${hostname}, the host name in SITE_URL.`,
        `Sign in with a code and add new ones at ${siteUrl}/inbox/access, or set SITE_URL back to ${host}.`,
      ),
    ),
  ]
}
