const STORAGE_KEY = 'plumbline.key'

type Deps = { openStorage: () => Storage; randomBytes: (count: number) => Uint8Array }

/** Not `crypto.randomUUID`, which browsers only have over HTTPS. */
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The same content keeps its key, even after a reload, until `forget` is called on confirmation. */
export function createIdempotencyKeys({ openStorage, randomBytes }: Deps) {
  let last = load()

  function load(): { content: string; key: string } | undefined {
    try {
      return JSON.parse(openStorage().getItem(STORAGE_KEY) ?? 'null') ?? undefined
    } catch {
      return undefined
    }
  }

  function save(next: typeof last) {
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
      save({ content, key })
      return key
    },
    forget() {
      save(undefined)
    },
  }
}
