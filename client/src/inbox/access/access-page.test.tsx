import { expect, test, vi } from 'vitest'
import type { Access } from '#shared/inbox/api.ts'
import { show, useAnna } from '../../../e2e/inbox/show-page.tsx'
import { accessQuery, queryClient, repliesQuery } from '../data/queries.ts'

useAnna()
const { PushSection } = await import('../push/push-section.tsx')
const { AccessPage } = await import('./access-page.tsx')

test('the Access page says when devices and passkeys were used', () => {
  const device = { owner: 'ben@agency.example', seenAt: '2026-03-04T14:01:00Z', isInUse: false }
  const passkey = { owner: 'ben@agency.example', createdAt: '2026-03-01T15:00Z', usedAt: null }
  const access: Access = {
    sessions: [
      { ...device, id: 'mine', browser: 'Mine' },
      { ...device, id: '1', browser: 'Open', isInUse: true },
      { ...device, id: '2', browser: 'Recent' },
      { ...device, id: '3', browser: 'Old', seenAt: '2026-03-04T13:59:00Z' },
    ],
    passkeys: [
      { ...passkey, id: '4', name: 'New' },
      { ...passkey, id: '5', name: 'Used', usedAt: '2026-03-04T12:00Z' },
    ],
  }
  queryClient.setQueryData(accessQuery.queryKey, access)
  // The sections appear together, so that none moves another.
  expect(show(<AccessPage />).text).toBe('|Access|')
  queryClient.setQueryData(repliesQuery.queryKey, { replies: [] })
  const { text } = show(<AccessPage />)

  for (const [name, use] of Object.entries({
    Mine: 'this device|',
    Open: 'in use|Sign out',
    Recent: 'used in the last hour|Sign out',
    Old: 'last used about 1 h ago|Sign out',
    New: 'added 3 days ago|Remove',
    Used: 'used 3 h ago|Remove',
  }))
    expect(text).toContain(`|${name}|ben@agency.example, ${use}`)
  expect(text).toContain('Passkeys need a browser')
  expect(text).toContain('Messages need an https address.')
})

test('the Access page says if messages on this device have stopped', () => {
  vi.stubGlobal('window', { isSecureContext: true, PushManager: {}, Notification: {} })
  vi.stubGlobal('navigator', { serviceWorker: {} })
  const stopped = (hasEnded: boolean) => {
    queryClient.setQueryData(['push'], { isOn: false, hasEnded })
    return show(<PushSection />).text.includes('have stopped')
  }
  expect([stopped(false), stopped(true)]).toEqual([false, true])
})
