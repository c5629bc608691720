import { describe, expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot } from '../proof/testing/dovecot.ts'
import { email, useMailbox } from '../proof/testing/watched-mailbox.ts'
import { openReader } from './open-reader.ts'

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  const { server } = useMailbox(useTestApp())

  test('a message is found in each folder, with the time when it came, until the one that is looked for', async () => {
    const [early, late] = ['2026-03-01T10:00:00.000Z', '2026-03-01T11:00:00.000Z'] as const
    const message = email('<sent@x>', 'same@x')
    for (const folder of ['Offers', 'Junk', 'INBOX']) server.deliver(message, folder, new Date(late))
    server.deliver(message, 'Archive', new Date(early))
    server.deliver(email('<sent@x>', 'other@x'), 'INBOX')
    await using reader = openReader(server.url, undefined, new AbortController().signal)
    await reader.connect()
    const inInbox = { path: 'INBOX', use: '\\Inbox', uid: 1, internalDate: late }
    const inJunk = { ...inInbox, path: 'Junk', use: '\\Junk' }
    const inArchive = { ...inInbox, path: 'Archive', use: '\\Archive', internalDate: early }
    const inOffers = { ...inInbox, path: 'Offers', use: undefined }
    const messageId = '<same@x>'
    expect(await reader.ask('locate', { messageId })).toEqual([inInbox, inArchive, inJunk, inOffers])
    expect(await reader.ask('locate', { messageId, receivedAt: late })).toEqual([inInbox])
    expect(await reader.ask('locate', { messageId: '<none@x>' })).toEqual([])
  })
})
