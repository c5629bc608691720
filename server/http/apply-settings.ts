import { count } from '#shared/count.ts'
import { RETENTION, SETTINGS, type Setting, SITE_URL, settingAttribute } from '#shared/pages.ts'

export type PrivacySettings = {
  /**
   * The number of days after which the server deletes a lead, or 0 if it keeps leads until someone
   * deletes them.
   */
  retentionDays: number
  /** Whether the server posts each lead to another program. */
  postsLeads: boolean
}

/**
 * Removes the elements that these settings make untrue, and fills in the public URL, the settings,
 * and the retention time.
 */
export function applySettings(
  html: string,
  siteUrl: string,
  { retentionDays, postsLeads }: PrivacySettings,
): string {
  const applies: Record<Setting, boolean> = {
    public: isPublicSite(siteUrl),
    kept: retentionDays === 0,
    deleted: retentionDays > 0,
    posted: postsLeads,
  }
  const names = Object.keys(applies) as Setting[]
  return html
    .replace(
      new RegExp(`<(\\w+) ${settingAttribute}="(\\w+)">.*?</\\1>`, 'gs'),
      (element, _tag: string, setting: Setting) => (applies[setting] ? element : ''),
    )
    .replace(SETTINGS, names.filter((name) => applies[name]).join(' '))
    .replaceAll(RETENTION, count(retentionDays, 'day'))
    .replaceAll(SITE_URL, () => siteUrl)
}

/**
 * Host names that a public site can't have (RFC 2606, 6761, 6762, 7686, 8375, and ICANN's
 * `.internal`).
 */
const privateNames =
  /(^|\.)(?:localhost|local|internal|home\.arpa|test|example|invalid|onion|example\.(?:com|net|org))$/

/**
 * Whether a site with this URL can be public. IP addresses and names without a dot count as not
 * public.
 */
export function isPublicSite(siteUrl: string): boolean {
  const { hostname } = new URL(siteUrl)
  const isIpAddress = hostname.startsWith('[') || /\.\d+$/.test(hostname)
  return hostname.includes('.') && !isIpAddress && !privateNames.test(hostname)
}
