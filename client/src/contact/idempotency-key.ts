const STORAGE_KEY = 'plumbline.key'

type Deps = { openStorage: () => Storage; randomBytes: (count: number) => Uint8Array }

/** In hexadecimal. Browsers have `crypto.randomUUID` only over HTTPS. */
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/**
 * Lets the server recognize duplicates. The same content keeps its key, even after a reload, until the server confirms it.
 */
export function createIdempotencyKeys({ openStorage, randomBytes }: Deps) {
  let last = recall()

  function recall(): { content: string; key: string } | undefined {
    try {
      return JSON.parse(openStorage().getItem(STORAGE_KEY) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  }

  function remember(next: typeof last) {
    last = next
    try {
      if (next) openStorage().setItem(STORAGE_KEY, JSON.stringify(next))
      else openStorage().removeItem(STORAGE_KEY)
    } catch {
      // Without storage, the key lasts as long as the page.
    }
  }

  return {
    keyFor(content: string): string {
      const key = last?.content === content ? last.key : toHex(randomBytes(16))
      remember({ content, key })
      return key
    },
    forget() {
      remember(undefined)
    },
  }
}
