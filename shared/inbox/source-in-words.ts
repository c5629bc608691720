import type { clickParameters } from '../lead-source.ts'
import type { LeadSource } from './lead.ts'

const DIRECT = 'Typed in or bookmarked'

const ads: Partial<Record<(typeof clickParameters)[number], string>> = {
  gclid: 'Google ad',
  gbraid: 'Google ad',
  wbraid: 'Google ad',
  msclkid: 'Bing ad',
  ttclid: 'TikTok ad',
  li_fat_id: 'LinkedIn ad',
  twclid: 'X ad',
}

/** Where a lead came from: "Google ad", "newsletter, campaign “spring”" or "google.com"; null if nothing is known. */
export function sourceInWords({ landing, referrer, parameters = {} }: LeadSource): string | null {
  const { utm_source, utm_campaign, fbclid } = parameters
  const [, ad] = Object.entries(ads).find(([name]) => parameters[name]) ?? []
  // Facebook adds its parameter to every link, not only to ads.
  const name = ad || utm_source || (fbclid && 'Facebook') || referrer
  if (utm_campaign) return `${name ? `${name}, campaign` : 'Campaign'} “${utm_campaign}”`
  return name || (landing ? DIRECT : null)
}
