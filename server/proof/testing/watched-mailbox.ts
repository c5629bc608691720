import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import { readNote, writeNote } from '../../database/notes.ts'
import { readSetAside } from '../../mailbox/set-aside.ts'
import { createMailboxWatch } from '../../mailbox/watch-mailbox.ts'
import type { TestApp } from './build-test-app.ts'
import { startDovecot } from './dovecot.ts'
import { openHostileImap } from './hostile-imap.ts'
import { anna, leadTools } from './leads.ts'
import { ada, mailboxTools } from './mailbox.ts'

/** The Message-ID of an email that an owner sends from an email program. */
export const sentId = '<new@agency.example>'
export const fromOwner = `From: ${anna}\r\nTo: ${ada}\r\nSubject: New\r\nMessage-ID: ${sentId}\r\n\r\nCan we start?\r\n`

/** A reply by Ada. */
export const email = (answers: string, id: string) =>
  `From: ${ada}\r\nTo: site@agency.example\r\nSubject: Re\r\nMessage-ID: <${id}>\r\nIn-Reply-To: ${answers}\r\n\r\nText ${id}\r\n`
/** The same with another body, whose headers come first. */
export const withBody = (answers: string, id: string, body: string) =>
  `${email(answers, id).split('\r\n\r\n')[0]}\r\n${body}`

/**
 * Starts a real IMAP server, with a new mailbox for each test of the file, and returns functions
 * that watch it.
 */
export function useMailbox(site: TestApp) {
  const { history } = leadTools(site)
  const { answered } = mailboxTools(site)
  const server = {} as Awaited<ReturnType<typeof startDovecot>>
  beforeAll(async () => {
    Object.defineProperties(server, Object.getOwnPropertyDescriptors(await startDovecot()))
  })
  beforeEach(() => server.addMailbox())
  afterAll(async () => {
    await server[Symbol.asyncDispose]()
  })

  /** Starts to watch the mailbox. Returns a function that stops. */
  function watch(imapUrl = server.url, { lookEveryMs = 100 } = {}) {
    const stopping = new AbortController()
    const timing = { gatherMs: 10, retryAfterMs: 50, lookEveryMs }
    const watching = createMailboxWatch({ ...site.context, imapUrl, timing })
    const running = (async () => {
      // Without a pause, failures of a database that was closed would keep the test from ending.
      while (!stopping.signal.aborted) await watching(stopping.signal).catch(() => setImmediate())
    })()
    const stop = async () => {
      stopping.abort()
      await running
    }
    onTestFinished(stop)
    return stop
  }
  /** The same, once both folders have been opened for the first time. */
  async function open() {
    const stop = watch()
    const settings = site.db.selectFrom('settings').select('name')
    const notes = settings.where('name', 'in', ['mailbox_inbox', 'mailbox_sent'])
    await expect.poll(() => notes.execute()).toHaveLength(2)
    return stop
  }
  const inboxNote = () => readNote(site.db, 'mailbox_inbox')

  return {
    server,
    watch,
    inboxNote,
    setAside: () => readSetAside(site.db, 'inbox'),
    open,
    /** A lead with an answer, and a mailbox that is watched. */
    watched: async () => ({ stop: await open(), ...(await answered()) }),
    /**
     * A lead with an answer, and a server between that can do something wrong. Nobody watches yet,
     * but whatever comes to the mailbox is new.
     */
    async between() {
      const imap = await openHostileImap(server.url, (uid) => server.remove(uid))
      onTestFinished(() => imap[Symbol.asyncDispose]())
      for (const folder of ['inbox', 'sent'])
        await writeNote(site.db, `mailbox_${folder}`, { of: 'an earlier mailbox', uid: 0 })
      return { ...(await answered()), ...imap }
    },
    /** Lets the time pass until what was set aside is tried again. */
    passTime: () => site.advanceClock(30 * 60_000),
    /** Lets this time pass while both folders are looked through again and again. */
    async pass(milliseconds: number) {
      for (let round = 0; round < 3; round++) {
        const { uid = 0 } = (await inboxNote()) ?? {}
        server.deliver('From: news@example.org\r\nMessage-ID: <news@x>\r\n\r\nNews\r\n')
        await expect.poll(async () => (await inboxNote())?.uid ?? 0).toBeGreaterThan(uid)
        site.advanceClock(milliseconds / 3)
      }
    },
    /** What was written about a lead. */
    texts: async (reference: string) =>
      (await history(reference)).flatMap(({ what, text }) => (/reply|mail/.test(what) ? [text] : [])),
    /** What has happened to it. */
    kinds: async (reference: string) =>
      (await history(reference)).flatMap(({ what }) => (/reply|mail|failed/.test(what) ? [what] : [])),
  }
}
