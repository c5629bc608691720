import type { FormValues } from './form-values.ts'

const KEY = 'plumbline.draft'

/** Keeps what was typed while the tab is open. Unavailable storage is treated as empty. */
export function createDraft(openStorage: () => Storage) {
  return {
    save(values: FormValues) {
      attempt(() => openStorage().setItem(KEY, JSON.stringify(values)))
    },
    load(): Partial<FormValues> {
      const values: unknown = attempt(() => JSON.parse(openStorage().getItem(KEY) ?? '{}'))
      return isRecordOfStrings(values) ? values : {}
    },
    clear() {
      attempt(() => openStorage().removeItem(KEY))
    },
  }
}

export type Draft = ReturnType<typeof createDraft>

/** In private windows and on full disks, every storage call can throw. */
function attempt<Result>(call: () => Result): Result | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

function isRecordOfStrings(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((part) => typeof part === 'string')
  )
}
