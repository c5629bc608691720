import * as z from 'zod/mini'
import { anything, callApi } from './api.ts'
import { pathOf } from './lead-cache.ts'
import { keys, queryClient } from './query-client.ts'
import { refresh } from './refresh-page.ts'
import { type Action, useAction } from './use-action.ts'

// Longer than the server takes to respond: at most 50 s, even if it is still erasing.
const ERASE_TIMEOUT_MS = 60_000

/** Sends the receipt that was withheld because the lead looked like spam. */
export function useSendReceipt(reference: string): Action<void, boolean> {
  return useAction(async () => {
    await post(`${pathOf(reference)}/receipt`, anything)
    return true
  })
}

/** Files on the server that could not be changed, and that may still contain the address. */
const erasure = z.object({ notErased: z.array(z.string()) })

export type Remains = { files: string[] }

/** Erases everything about the person with this address. Requires a recent sign-in. Throws `ApiError`. */
export async function erasePerson(reference: string, email: string): Promise<Remains> {
  const { notErased } = await post(`${pathOf(reference)}/erase`, erasure, { email }, ERASE_TIMEOUT_MS)
  queryClient.removeQueries({ queryKey: keys.lead(reference) })
  return { files: notErased }
}

const resent = z.object({ resent: z.number() })

/** Immediately resends messages that the server gave up on or that are waiting for a retry. */
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
