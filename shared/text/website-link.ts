import * as z from 'zod/mini'

// Only a name with a top-level domain: a word in this field, such as "none", isn't an address.
const publicUrl = z.url({ protocol: /^https?$/, hostname: /\.[^.]{2,}\.?$/ })
const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i
const bareDomain = /^(?:[^\s/?#@:.]+\.)+(?:xn--[a-z\d-]+|[\p{L}\p{M}]{2,})\.?(?=[:/?#]|$)/iu

/**
 * Adds a missing scheme: "example.com/about" becomes "https://example.com/about". Text that isn't
 * an address loses only its invisible characters.
 */
export function addScheme(typed: string): string {
  const visible = typed.replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, '')
  const url = `https://${visible}`
  return !hasScheme.test(visible) && bareDomain.test(visible) && isPublicUrl(url) ? url : visible
}

/**
 * A link to the website that a visitor typed; null if it isn't one, or if it has a user name, as in
 * `https://bank.example@evil.example`, which opens another site than it seems to.
 */
export const websiteLink = (website: string): string | null =>
  isPublicUrl(website) && !/^[^:]*:[/\\]*[^/\\?#]*@/.test(website) ? website : null

const isPublicUrl = (url: string) => publicUrl.safeParse(url).success
