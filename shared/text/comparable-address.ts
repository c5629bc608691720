/**
 * An address as it is stored and compared: in lower case, its domain in Punycode and without a dot
 * at the end. Only letters of ASCII become lower case, as in the databases.
 */
export function comparable(address: string): string {
  const at = address.lastIndexOf('@')
  const domain = toPunycode(address.slice(at + 1).replace(/\.$/, ''))
  const whole = at < 0 ? address : `${address.slice(0, at)}@${domain}`
  return whole.normalize('NFC').replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

// Browsers and Node.js have it.
declare const URL: new (url: string) => { hostname: string }

/** A domain with other letters, such as `dächer.example`, as it is sent: `xn--dcher-gra.example`. */
export function toPunycode(domain: string): string {
  // Without a letter of another script, there's nothing to convert. Other ASCII characters would
  // end the domain in a URL.
  if (!/^[^\0-,/:-@[-`{-\x7f]*[^\0-\x7f][^\0-,/:-@[-`{-\x7f]*$/.test(domain)) return domain
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return domain
  }
}
