import type { Action } from './changes.ts'

export type QueuedAnswer = { key: string; sendsAt: string }

/**
 * Queues an answer. Repeating it with the same text, after a lost connection for example, sends one email. The lead is
 * answered at once, and `pendingAnswer` is set until the email goes out.
 */
export function useSendAnswer(_reference: string): Action<string, QueuedAnswer> {
  throw new Error('not built')
}

/** Stops a queued answer, by its key. Returns its text, which is the draft again. */
export function useUndoAnswer(_reference: string): Action<string, string> {
  throw new Error('not built')
}
