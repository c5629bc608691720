import { createStoredJson } from './stored-json.ts'

type Deps = { openStorage: () => Storage; randomBytes: (count: number) => Uint8Array }

/** The same content keeps its key, even after a reload, until `forget` is called or different content gets a key. */
export function createIdempotencyKeys({ openStorage, randomBytes }: Deps) {
  const stored = createStoredJson('contact.key', openStorage)
  // Also kept in memory, in case storage is unavailable.
  let last = stored.load() as { content: string; key: string } | null | undefined

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

/** The keys aren't from `crypto.randomUUID`, because browsers offer it only over HTTPS and on localhost. */
const toHex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
