import { leadStatus } from '#shared/inbox/lead.ts'
import { callApi } from './api.ts'
import { adopt } from './change-lead.ts'
import { pathOf } from './lead-cache.ts'
import { refresh } from './refresh-page.ts'
import { createSignal, type Signal } from './signal.ts'
import { createTextKeys } from './text-keys.ts'
import { withRetries } from './with-retries.ts'

export type SavedNote = { text: string; key: string }

const keys = createTextKeys()
// Keeps the owner's unsaved text after the note's dialog is closed.
const unsaved = new Map<string, Signal<string>>()

/** The text of this lead's unsaved note. */
export function noteOf(reference: string): Signal<string> {
  const known = unsaved.get(reference)
  if (known) return known
  const note = createSignal('')
  unsaved.set(reference, note)
  return note
}

/** Call this when another owner has signed in. */
export function forgetNotes(): void {
  for (const note of unsaved.values()) note.set('')
}

/** Saves a note, and retries if the response is lost. Throws `ApiError`. */
export async function saveNote(reference: string): Promise<SavedNote> {
  const note = noteOf(reference)
  const text = note.get()
  const key = keys.keyFor(reference, text)
  await post(reference, 'notes', { text, key })
  keys.forget(reference)
  if (note.get() === text) note.set('')
  return { text, key }
}

/** Deletes a note that was just saved, and puts its text back into the unsaved note. Throws `ApiError`. */
export async function undoNote(reference: string, { text, key }: SavedNote): Promise<void> {
  await post(reference, `notes/${key}/undo`)
  const note = noteOf(reference)
  note.set(note.get() ? `${text}\n\n${note.get()}` : text)
}

async function post(reference: string, what: string, body = {}): Promise<void> {
  try {
    const path = `${pathOf(reference)}/${what}`
    adopt(reference, await withRetries(() => callApi(path, leadStatus, { method: 'POST', body })))
  } finally {
    refresh.now()
  }
}
