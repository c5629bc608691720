const KEY = 'plumbline.key'

type Deps = { openStorage: () => Storage; randomBytes: (count: number) => Uint8Array }

/** Not `crypto.randomUUID`, which is missing without TLS. */
const toKey = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Lets the server recognize a duplicate: the same content keeps its key until it is confirmed, even if the tab is reloaded.
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
      // Without storage, the key lasts as long as the page.
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
