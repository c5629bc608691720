import type { FormValues } from './form-values.ts'

const KEY = 'plumbline.draft'

/** Saves the form's entries in session storage. Unavailable storage is treated as empty. */
export function createDraft(openStorage: () => Storage) {
  return {
    save(values: FormValues) {
      ignoreErrors(() => openStorage().setItem(KEY, JSON.stringify(values)))
    },
    load(): Partial<FormValues> {
      const values: unknown = ignoreErrors(() => JSON.parse(openStorage().getItem(KEY) ?? '{}'))
      return isRecordOfStrings(values) ? values : {}
    },
    clear() {
      ignoreErrors(() => openStorage().removeItem(KEY))
    },
  }
}

export type Draft = ReturnType<typeof createDraft>

/** Storage calls can throw, for example in private windows or on full disks. */
function ignoreErrors<Result>(call: () => Result): Result | undefined {
  try {
    return call()
  } catch {
    return undefined
  }
}

const isRecordOfStrings = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((part) => typeof part === 'string')
