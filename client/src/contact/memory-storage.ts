/** In-memory storage for tests, with the methods that the page uses. */
export function createMemoryStorage() {
  const items = new Map<string, string>()
  const storage = {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
  return { items, openStorage: () => storage as Storage }
}

export const openBlockedStorage = (): Storage => {
  throw new DOMException('Blocked', 'SecurityError')
}
