import type { LeadRow, LeadState } from '#shared/inbox/lead.ts'
import type { ApiError } from './api.ts'

/** A change of one lead that shows at once. */
export type LeadChange =
  | { kind: 'state'; state: LeadState }
  | { kind: 'follow-up'; on: string | null }
  | { kind: 'verdict'; verdict: 'spam' | 'honest' }

export type Changed = {
  reference: string
  change: LeadChange
  /** The lead before the change. */
  before: LeadRow
  /** Takes the change back; null if there is no such change. */
  undo: LeadChange | null
}

export type Listeners = {
  onChanged?: (changed: Changed) => void
  /** The change was rolled back; `error.message` says why. */
  onFailed?: (error: ApiError, change: LeadChange, reference: string) => void
}

/** Changes a lead in all lists at once, and rolls back if the server refuses. Never throws. */
export function useChangeLead(
  _listeners: Listeners = {},
): (reference: string, change: LeadChange) => Promise<Changed | undefined> {
  throw new Error('not built')
}

export type Action<Input, Output = void> = {
  /** Undefined if it failed: then `error` says why. */
  run: (input: Input) => Promise<Output | undefined>
  isRunning: boolean
  error: ApiError | null
  reset: () => void
}

export function useAddNote(_reference: string): Action<string> {
  throw new Error('not built')
}

/** Sends the receipt that was withheld from a suspect. */
export function useSendReceipt(_reference: string): Action<void> {
  throw new Error('not built')
}

/** Erases the person with this address, everywhere. Needs a fresh sign-in: see `ApiError`. */
export function useErase(_reference: string): Action<string> {
  throw new Error('not built')
}

/** Sends emails again that were given up. */
export function useResendMail(): Action<void, { resent: number }> {
  throw new Error('not built')
}
