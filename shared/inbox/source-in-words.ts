import type { LeadSource } from './lead.ts'

const DIRECT = 'Typed in or bookmarked'

/** "Google ad", "newsletter, campaign “spring”", "google.com"; null if nothing is known. */
export function sourceInWords({ landing, referrer, parameters = {} }: LeadSource): string | null {
  const { utm_source, utm_campaign, gclid, msclkid, fbclid } = parameters
  const ad = (gclid && 'Google ad') || (msclkid && 'Bing ad')
  // Facebook adds its parameter to every link, so it doesn't mean an ad.
  const name = ad || utm_source || (fbclid && 'Facebook') || referrer
  if (utm_campaign) return `${name ? `${name}, campaign` : 'Campaign'} “${utm_campaign}”`
  return name || (landing ? DIRECT : null)
}
