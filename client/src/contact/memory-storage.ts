/** For tests: the storage methods that this page uses, and the stored items. */
export function createMemoryStorage() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  return { items, openStorage: () => storage as Storage }
}

export const openRefusedStorage = (): Storage => {
  throw new DOMException('Refused', 'SecurityError')
}
