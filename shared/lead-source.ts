import { replaceInvisible } from './text/invisible-characters.ts'

/**
 * Where a visitor came from, recorded on the first page of this site in the tab. Each value has at
 * most 200 characters.
 */
export type LeadSource = {
  /**
   * The path of that page, without its query. Missing if another page of this site linked to it.
   */
  landing?: string | undefined
  /** The host name of the website that linked to that page. */
  referrer?: string | undefined
  /**
   * `utm_source`, `utm_medium` and so on; `1` for an ad-click parameter such as `gclid`, whose
   * value is not kept.
   */
  parameters?: Record<string, string> | undefined
}

/**
 * A contact request contains the visitor's source in this field, in addition to the fields that the
 * visitor fills in.
 */
export const sourceField = 'source'

const MAX_LENGTH = 200

const campaignParameters = ['source', 'medium', 'campaign', 'term', 'content', 'id'].map(
  (name) => `utm_${name}`,
)

/** The parameters that ad networks and social networks add to a link when it is clicked. */
export const clickIds = [
  'gclid',
  'gbraid',
  'wbraid',
  'msclkid',
  'ttclid',
  'li_fat_id',
  'twclid',
  'fbclid',
] as const

/**
 * Keeps only what says where visitors come from, and nothing that identifies a visitor. A click ID
 * belongs to one person's click, so only its presence is kept, as `1`. Query strings can contain
 * anything, so other parameters, and values with an email address, are dropped. Accepts any JSON
 * value: a bad source must not cause a lead to be rejected.
 */
export function cleanSource(source: unknown): LeadSource {
  const { landing, referrer, parameters } = Object(source)
  const given = Object(parameters)
  const kept = [
    ...campaignParameters.map((name) => [name, cleanText(given[name])]),
    ...clickIds.map((name) => [name, cleanText(given[name]) && '1']),
  ].filter(([, value]) => value)
  const path = cleanText(landing).match(/^\/[^?#]*/)?.[0]
  const host = cleanText(referrer).match(/^(?:www\.)?([\w.:[\]-]+)$/i)?.[1]
  return {
    ...(path && { landing: path }),
    ...(host && { referrer: host.toLowerCase() }),
    ...(kept.length > 0 && { parameters: Object.fromEntries(kept) }),
  }
}

/**
 * One line without invisible characters; empty if the value isn't text or contains an email
 * address.
 */
function cleanText(value: unknown): string {
  if (typeof value !== 'string' || /@|%40/.test(value)) return ''
  return replaceInvisible(value.slice(0, MAX_LENGTH)).replace(/\s+/g, ' ').trim()
}
