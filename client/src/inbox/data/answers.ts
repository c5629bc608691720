import { inTurn } from './change-lead.ts'
import { type NewAnswer, type QueuedAnswer, sendAnswer, undoAnswer } from './send-answer.ts'
import { type Action, useAction } from './use-action.ts'

/**
 * Queues an answer. If this fails and the owner sends the same text again, only one email is sent. On success, the lead's
 * `pendingAnswer` is set until the email is sent.
 */
export const useSendAnswer = (reference: string): Action<NewAnswer, QueuedAnswer> =>
  useAction((answer) => inTurn(reference, () => sendAnswer(reference, answer)))

/** Undoes a queued answer, given its key. Returns the new draft, which starts with the answer's text. */
export const useUndoAnswer = (reference: string): Action<string, string> =>
  useAction((key) => inTurn(reference, () => undoAnswer(reference, key)))
