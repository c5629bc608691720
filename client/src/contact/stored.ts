import type { LeadSource } from '#shared/lead-source.ts'
import { cleanSource } from '#shared/lead-source.ts'

type OpenStorage = () => Storage

/**
 * A JSON value in storage. Ignores errors, because storage can be unavailable, for example in
 * private windows.
 */
export function createStoredJson<Value>(key: string, openStorage: OpenStorage) {
  const ignoreErrors = <Result>(call: () => Result): Result | undefined => {
    try {
      return call()
    } catch {
      return undefined
    }
  }
  return {
    load: () => ignoreErrors((): Value | null => JSON.parse(openStorage().getItem(key) ?? 'null')),
    save: (value: Value) => ignoreErrors(() => openStorage().setItem(key, JSON.stringify(value))),
    clear: () => ignoreErrors(() => openStorage().removeItem(key)),
  }
}

type KeyDeps = { openStorage: OpenStorage; randomBytes: (count: number) => Uint8Array }

/**
 * The same content keeps its key, even after a reload, until `forget` is called or different
 * content gets a key.
 */
export function createIdempotencyKeys({ openStorage, randomBytes }: KeyDeps) {
  const stored = createStoredJson<{ content: string; key: string }>('contact.key', openStorage)
  // Also kept in memory, in case storage is unavailable.
  let last = stored.load()
  return {
    keyFor(content: string): string {
      const key = last?.content === content ? last.key : toHex(randomBytes(16))
      last = { content, key }
      stored.save(last)
      return key
    },
    forget() {
      last = undefined
      stored.clear()
    },
  }
}

/**
 * The keys aren't from `crypto.randomUUID`, because browsers offer it only over HTTPS and on
 * localhost.
 */
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** `referrer`: the URL of the page that linked to this one, or an empty string. */
type Visit = { url: string; referrer: string }

/**
 * Where the visitor came from, recorded on the first page opened in the tab. Sets no cookie. Never
 * throws. Returns an empty object if nothing is known, for example while the build prerenders the
 * page.
 */
export function recordFirstTouch(openStorage: OpenStorage, readVisit: () => Visit): LeadSource {
  const stored = createStoredJson<LeadSource>('contact.source', openStorage)
  const earlier = stored.load()
  if (earlier) return cleanSource(earlier)
  try {
    const source = cleanSource(sourceOf(readVisit()))
    stored.save(source)
    return source
  } catch {
    return {}
  }
}

function sourceOf({ url, referrer }: Visit) {
  const page = new URL(url)
  const from = referrer ? new URL(referrer) : undefined
  const parametersOf = ({ searchParams }: URL) => ({ parameters: Object.fromEntries(searchParams) })
  // Another page of this site linked here. We know that page's parameters, but not who linked to
  // it.
  if (from?.host === page.host) return parametersOf(from)
  return { landing: page.pathname, referrer: from?.hostname, ...parametersOf(page) }
}
