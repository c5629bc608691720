import { useEffect, useRef } from 'react'
import * as z from 'zod/mini'
import { ApiError, anything, callApi } from './api.ts'
import type { LeadChange } from './apply-change.ts'
import { type Changed, changeLead } from './change-lead.ts'
import { pathOf } from './lead-cache.ts'
import { keys, queryClient } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { type Action, useAction } from './use-action.ts'

// The command waits up to two minutes for an email that is being sent.
const ERASE_TIMEOUT_MS = 150_000

type Listeners = {
  onChanged?: (changed: Changed) => void
  /** Called when a change was rolled back; `error.message` says why. */
  onFailed?: (error: ApiError, change: LeadChange, reference: string) => void
}

/** Changes a lead in all lists at once, and rolls back if the server rejects the change. Never throws. */
export function useChangeLead(listeners: Listeners = {}) {
  const current = useRef(listeners)
  useEffect(() => {
    current.current = listeners
  })
  return useRef(async (reference: string, change: LeadChange): Promise<Changed | undefined> => {
    try {
      const changed = await changeLead(reference, change)
      if (changed) current.current.onChanged?.(changed)
      return changed
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      current.current.onFailed?.(error, change, reference)
      return
    }
  }).current
}

/** Sends the receipt that was withheld from a suspect. */
export function useSendReceipt(reference: string): Action<void, boolean> {
  return useAction(async () => {
    await post(`${pathOf(reference)}/receipt`, anything)
    return true
  })
}

/** Erases everything about the person with this address. Needs a recent sign-in: see `ApiError`. */
export function useErase(reference: string): Action<string, unknown> {
  return useAction(async (email: string) => {
    const report = await post(`${pathOf(reference)}/erase`, anything, { email }, ERASE_TIMEOUT_MS)
    queryClient.removeQueries({ queryKey: keys.lead(reference) })
    return report ?? {}
  })
}

const resent = z.object({ resent: z.number() })

/** Resends emails that the server gave up on. */
export function useResendMail(): Action<void, { resent: number }> {
  return useAction(() => post('/mail/resend', resent))
}

async function post<Output>(
  path: string,
  schema: { parse: (value: unknown) => Output },
  body: object = {},
  timeoutMs?: number,
): Promise<Output> {
  try {
    return await callApi(path, schema, { method: 'POST', body, ...(timeoutMs && { timeoutMs }) })
  } finally {
    refresh.now()
  }
}
