export type Signal<Value> = ReturnType<typeof createSignal<Value>>

/** A value with listeners, for `useSyncExternalStore`. */
export function createSignal<Value>(value: Value) {
  const listeners = new Set<() => void>()
  return {
    get: () => value,
    set(next: Value) {
      if (next === value) return
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
