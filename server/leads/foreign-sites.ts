import type { ContactRequest } from '#shared/contact-request.ts'

// Every repetition, except at the end of a pattern, has a limit, so that no text makes matching slow.
const emailAddresses = /[^\s@<>]{1,64}@[^\s@<>]{1,255}/g
const sites =
  /(?:https?:\/\/|\bwww\.)([^\s/?#<>"'()[\]]{1,255})[^\s<>"'[\]]*|\b((?:[a-z0-9-]{1,63}\.){1,4}(?:com|net|org|info|biz|io|co|us|ru|cn|me|xyz|top|shop|site|online|store|club))\b(?:\/\S*)?/gi

/** Counts the websites in a message, except the sender's own, and the letters that aren't part of a URL or email address. */
export function findForeignSites({ website, email, message }: ContactRequest) {
  const text = message.replace(emailAddresses, ' ')
  const hosts = [...text.matchAll(sites)].map(([, host, domain]) => bare(host ?? domain ?? ''))
  const own = [bare(website), bare(email.slice(email.lastIndexOf('@') + 1))]
  const letters = text.replace(sites, '').match(/\p{L}/gu) ?? []
  return { count: new Set(hosts.filter((host) => !own.includes(host))).size, lettersBesides: letters.length }
}

const bare = (address: string) =>
  address
    .toLowerCase()
    .replace(/^https?:\/\/|[/?#].*$/gs, '')
    .replace(/^www\.|(?<![.,:;])[.,:;]+$/g, '')
