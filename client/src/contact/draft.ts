import type { FormValues } from './form-values.ts'
import { createStoredJson } from './stored-json.ts'

/** Keeps the form's entries across reloads. */
export function createDraft(openStorage: () => Storage) {
  const stored = createStoredJson('contact.draft', openStorage)
  return {
    save: (values: FormValues) => stored.save(values),
    load(): Partial<FormValues> {
      const values = stored.load()
      return isRecordOfStrings(values) ? values : {}
    },
    clear: stored.clear,
  }
}

export type Draft = ReturnType<typeof createDraft>

const isRecordOfStrings = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((part) => typeof part === 'string')
