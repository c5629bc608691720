import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import type { Open } from './open-folder.ts'
import { createReadFolder } from './read-folder.ts'
import { readMessage } from './read-message.ts'

const site = useTestApp()

test.each(['inbox', 'sent', 'moved'] as const)(
  'while headers of strangers in the folder %s are looked at, other requests get their turn after each',
  async (folder) => {
    const message = await readMessage(Buffer.from('From: a@example.org\r\nTo: b@example.org\r\n\r\nHello'))
    const heads = Array.from({ length: 50 }, (_, index) => ({ uid: index + 1, message }))
    const bookmarks = { move: async () => {} } as never
    const { readNew } = createReadFolder({ ...site.context, bookmarks })
    const ask = async (call: string) => (call === 'find' ? heads.map(({ uid }) => uid) : heads)
    const reader = { ask, isOpen: () => true }
    // Another connection looks through what was sent.
    const sent = { isRead: false, wake() {} }
    const open = { folder, name: folder, reader, sent, ending: new AbortController().signal, mark: {} }

    let turns = 0
    let isOver = false
    const reading = readNew(open as unknown as Open)
    const counting = (async () => {
      for (; !isOver; turns++) await setImmediate()
    })()
    await reading
    isOver = true
    await counting
    expect(turns).toBeGreaterThanOrEqual(heads.length)
  },
)
