import { inTurn } from './change-lead.ts'
import { type QueuedAnswer, sendAnswer, undoAnswer } from './send-answer.ts'
import { type Action, useAction } from './use-action.ts'

/**
 * Queues an answer. Repeating it with the same text, after a lost connection for example, sends one email. On success,
 * `pendingAnswer` of the lead is set until the email goes out.
 */
export const useSendAnswer = (reference: string): Action<string, QueuedAnswer> =>
  useAction((text) => inTurn(reference, () => sendAnswer(reference, text)))

/** Stops a queued answer, by its key. Returns its text, which is the draft again. */
export const useUndoAnswer = (reference: string): Action<string, string> =>
  useAction((key) => inTurn(reference, () => undoAnswer(reference, key)))
