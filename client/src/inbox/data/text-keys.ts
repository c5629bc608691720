/** A random UUID, version 4. Doesn't use `crypto.randomUUID`, which works only over HTTPS and on localhost. */
export function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

/** An answer or a note keeps its key until the server has stored or refused it, so that a retry isn't stored twice. */
export function createTextKeys(createKey = randomUuid) {
  const last = new Map<string, { text: string; key: string }>()
  return {
    keyFor(reference: string, text: string): string {
      const known = last.get(reference)
      const key = known?.text === text ? known.key : createKey()
      last.set(reference, { text, key })
      return key
    },
    /** After this, the same text gets a new key. */
    forget: (reference: string) => void last.delete(reference),
  }
}
