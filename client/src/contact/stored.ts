import { v4 as randomUuid } from 'uuid'
import { cleanSource, type LeadSource } from '#shared/lead-source.ts'

/**
 * A JSON value that the browser keeps for this tab. Ignores errors, because storage can be
 * unavailable, for example in private windows.
 */
export function createStoredJson<Value>(key: string) {
  const ignoreErrors = <Result>(call: () => Result): Result | undefined => {
    try {
      return call()
    } catch {
      return undefined
    }
  }
  return {
    load: () => ignoreErrors((): Value | null => JSON.parse(sessionStorage.getItem(key) ?? 'null')),
    save: (value: Value) => ignoreErrors(() => sessionStorage.setItem(key, JSON.stringify(value))),
    clear: () => ignoreErrors(() => sessionStorage.removeItem(key)),
  }
}

/**
 * The same content keeps its key, even after a reload, until `forget` is called or different
 * content gets a key.
 */
export function createIdempotencyKeys() {
  const stored = createStoredJson<{ content: string; key: string }>('contact.key')
  // Also kept in memory, in case storage is unavailable.
  let last = stored.load()
  return {
    keyFor(content: string): string {
      const key = last?.content === content ? last.key : randomUuid()
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
 * Where the visitor came from, recorded on the first page opened in the tab. Sets no cookie. Never
 * throws. Returns an empty object if nothing is known, for example while the build prerenders the
 * page.
 */
export function recordFirstTouch(): LeadSource {
  const stored = createStoredJson<LeadSource>('contact.source')
  const earlier = stored.load()
  if (earlier) return cleanSource(earlier)
  try {
    const source = cleanSource(findSource())
    stored.save(source)
    return source
  } catch {
    return {}
  }
}

function findSource() {
  const page = new URL(location.href)
  const from = document.referrer ? new URL(document.referrer) : undefined
  const parametersOf = ({ searchParams }: URL) => ({ parameters: Object.fromEntries(searchParams) })
  // Another page of this site linked here. We know that page's parameters, but not who linked to
  // it.
  if (from?.host === page.host) return parametersOf(from)
  return { landing: page.pathname, referrer: from?.hostname, ...parametersOf(page) }
}
