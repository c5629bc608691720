import { expect, test, vi } from 'vitest'
import { FRESH_MINUTES } from '#shared/inbox/api.ts'
import { useInboxPage } from '../../../e2e/inbox/hooks.tsx'
import { serverNow } from '../data/api.ts'
import { keys, queryClient } from '../data/queries.ts'

const { use } = useInboxPage()
const { useFresh } = await import('./session.tsx')

test('a sign-in is asked for a bit before the server would refuse the old one', async () => {
  const isAsked = async (ageMs: number) => {
    const signedInAt = new Date(serverNow() - ageMs).toJSON()
    queryClient.setQueryData(keys.session, { owner: 'anna@agency.example', signedInAt })
    const fresh = use(useFresh)('Please sign in again.').then(() => false)
    return Promise.race([fresh, vi.advanceTimersByTimeAsync(1).then(() => true)])
  }
  expect(await isAsked(FRESH_MINUTES * 60_000 - 31_000)).toBe(false)
  expect(await isAsked(FRESH_MINUTES * 60_000 - 29_000)).toBe(true)
})
