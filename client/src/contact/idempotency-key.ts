const KEY = 'plumbline.key'

type Deps = { openStorage: () => Storage; randomBytes: (count: number) => Uint8Array }

/** 16 random bytes as hexadecimal: `crypto.randomUUID` is missing where a page is served without TLS. */
const toKey = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Names each request so that the server can tell a repetition from a new one: the same content keeps its key until it
 * has arrived, also when the tab is reloaded in between.
 */
export function createIdempotencyKeys({ openStorage, randomBytes }: Deps) {
  let last = recall()

  function recall(): { content: string; key: string } | undefined {
    try {
      return JSON.parse(openStorage().getItem(KEY) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  }

  function remember(next: typeof last) {
    last = next
    try {
      if (next) openStorage().setItem(KEY, JSON.stringify(next))
      else openStorage().removeItem(KEY)
    } catch {
      // Without a storage the key lives as long as the page.
    }
  }

  return {
    keyFor(content: string): string {
      const key = last?.content === content ? last.key : toKey(randomBytes(16))
      remember({ content, key })
      return key
    },
    forget() {
      remember(undefined)
    },
  }
}
