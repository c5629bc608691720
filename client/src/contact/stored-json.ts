/** A JSON value in storage. Ignores errors, because storage can be unavailable, for example in private windows. */
export function createStoredJson(key: string, openStorage: () => Storage) {
  return {
    load: (): unknown => ignoreErrors(() => JSON.parse(openStorage().getItem(key) ?? 'null')),
    save: (value: unknown) => ignoreErrors(() => openStorage().setItem(key, JSON.stringify(value))),
    clear: () => ignoreErrors(() => openStorage().removeItem(key)),
  }
}

function ignoreErrors<Result>(call: () => Result): Result | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}
