import { describe, expect, onTestFinished, test } from 'vitest'
import { checkMailServer } from '../doctor/mail-server.ts'
import { checkMailbox } from '../doctor/mailbox.ts'
import { createFetchFile } from '../mailbox/fetch-file.ts'
import { writeTrouble } from '../mailbox/trouble.ts'
import { createMailboxWatch } from '../mailbox/watch-mailbox.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { hasDovecot, startDovecot } from '../proof/testing/dovecot.ts'
import { openInbox, smtpError } from '../proof/testing/inbox.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { mailboxTools } from '../proof/testing/mailbox.ts'
import { outboxTools, speedUp, writeEmailOf } from '../proof/testing/outbox.ts'
import { sampleNotice } from '../proof/testing/sample-notice.ts'
import { openTokenEndpoint } from '../proof/testing/token-endpoint.ts'
import { email, withBody } from '../proof/testing/watched-mailbox.ts'
import { createSmtpMailer, tryLogin } from './mailer.ts'
import { createTokens } from './oauth.ts'

const site = useTestApp({ mailTo: [anna], sendsReceipts: true })
const { history } = leadTools(site)
const { rows, startWorker } = outboxTools(site)

// Google says it in a challenge, and Microsoft at once.
const challenges = { data: { status: '401' } }
const refuses = smtpError(535, '5.7.3 Authentication unsuccessful')

/** `refusal`: how the mail server refuses a token. */
async function openServers(refreshToken?: string, refusal: object | Error = challenges) {
  const endpoint = await openTokenEndpoint(refreshToken === undefined ? {} : { refreshToken })
  onTestFinished(() => endpoint[Symbol.asyncDispose]())
  const oauth = { tokenUrl: endpoint.url, clientId: 'client', clientSecret: 'client-secret', refreshToken }
  const tokens = createTokens(oauth, { db: site.db, now: () => site.clock.now })
  const logins: string[] = []
  const inbox = await openInbox({
    authMethods: ['XOAUTH2'],
    authOptional: false,
    onAuth({ method, username, accessToken = '' }, _session, done) {
      logins.push(`${method} ${username}`)
      if (endpoint.state.valid.has(accessToken)) return done(null, { user: accessToken })
      return refusal instanceof Error ? done(refusal) : done(null, refusal)
    },
    // A connection lasts only as long as its token.
    onMailFrom: (_address, { user = '' }, done) =>
      done(endpoint.state.valid.has(user) ? null : smtpError(421, '4.7.0 The token has ended')),
  })
  onTestFinished(inbox.close)
  const smtpUrl = inbox.url.replace('//', '//hello%40agency.example@')
  return { ...endpoint, tokens, inbox, logins, smtpUrl }
}

/** The token counts no more, although it has not ended. */
function withdraw(state: { valid: Set<string> }) {
  state.valid.clear()
  site.advanceClock(10_000)
}

test.each([
  ['the client', undefined],
  ['a refresh token', 'first-refresh-token'],
])(
  'emails are sent with tokens of %s, also after one was withdrawn, and not without one',
  async (_whose, refreshToken) => {
    const { state, tokens, inbox, logins, smtpUrl } = await openServers(refreshToken)
    const mailer = createSmtpMailer(smtpUrl, tokens)
    const send = () => mailer.send(sampleNotice(), AbortSignal.timeout(10_000))
    await send()
    await mailer.close()

    withdraw(state)
    const later = createSmtpMailer(smtpUrl, tokens)
    onTestFinished(later.close)
    await later.send(sampleNotice(), AbortSignal.timeout(10_000))
    expect([inbox.emails.length, state.issued]).toEqual([2, 2])
    expect(new Set(logins)).toEqual(new Set(['XOAUTH2 hello@agency.example']))

    withdraw(state)
    state.refusal = { status: 503, body: 'down' }
    await expect(tryLogin(smtpUrl, tokens)).rejects.toThrow(/issues no token: 503/)
    expect(inbox.emails).toHaveLength(2)
  },
)

test.each([
  ['with a challenge', challenges],
  ['at once', refuses],
])(
  'if a mail server refuses the token in the middle of a queue (%s), each email is sent once, with one other token',
  async (_how, refusal) => {
    const { state, tokens, inbox, smtpUrl } = await openServers(undefined, refusal)
    const leads = Array.from({ length: 12 }, (_, index) => `Lead ${index}`)
    for (const message of leads) await site.submit({ message })
    const mailer = createSmtpMailer(smtpUrl, tokens)
    const write = writeEmailOf(site)
    speedUp(500)
    const worker = startWorker(async (queued, signal) => {
      if (inbox.emails.length >= 4 && state.issued === 1) withdraw(state)
      const written = await write(queued)
      return typeof written === 'string' ? { unsent: written } : mailer.send(written, signal)
    })
    onTestFinished(async () => {
      await worker.stop()
      mailer.close()
    })
    worker.start()

    const states = async () => {
      // What failed is due a minute later.
      site.advanceClock(1_000)
      return new Set((await rows()).map(({ state }) => state))
    }
    await expect.poll(states).toEqual(new Set(['sent']))
    const sent = await Promise.all(inbox.emails.map((_, index) => inbox.read(index)))
    expect(sent.map(({ messageId }) => messageId).sort()).toEqual(
      (await rows()).map(({ message_id }) => message_id).sort(),
    )
    expect(sent.length).toBeGreaterThan(12)
    expect([state.issued, state.requests.length]).toEqual([2, 2])
  },
)

test('a URL with a password logs in with it, whether or not there are tokens', async () => {
  const { state, tokens } = await openServers()
  const inbox = await openInbox({
    allowInsecureAuth: true,
    authOptional: false,
    onAuth: ({ password }, _session, done) =>
      password === 'right' ? done(null, { user: 'user' }) : done(smtpError(535, '5.7.8 bad credentials')),
  })
  onTestFinished(inbox.close)
  await tryLogin(inbox.url.replace('//', '//user:right@'), tokens)
  expect(state.requests).toEqual([])
})

test('doctor says whether a mail server accepts the token', async () => {
  const { state, tokens, smtpUrl } = await openServers()
  expect(await checkMailServer(smtpUrl, tokens)).toMatchObject({
    state: 'ok',
    seen: expect.stringMatching(/accepts the access token\.$/),
  })
  state.valid.clear()
  expect(await checkMailServer(smtpUrl, tokens)).toMatchObject({
    state: 'problem',
    seen: expect.stringMatching(/refuses the access token/),
    advice: expect.stringContaining('SMTP.SendAsApp'),
  })
})

describe.skipIf(!hasDovecot())('with a real IMAP server', () => {
  async function openMailbox() {
    const { state, tokens, checkUrl } = await openServers()
    const dovecot = await startDovecot(undefined, checkUrl)
    onTestFinished(() => dovecot[Symbol.asyncDispose]())
    state.user = dovecot.user
    const imapUrl = dovecot.url.replace(/:[^:@]*@/, '@')
    const { reference, answers } = await mailboxTools(site).answered()
    return {
      state,
      tokens,
      dovecot,
      imapUrl,
      answers,
      /** Resolves once both folders have been opened for the first time. */
      async watch(lookEveryMs: number) {
        const stopping = new AbortController()
        const timing = { gatherMs: 10, retryAfterMs: 50, lookEveryMs }
        const watch = createMailboxWatch({ ...site.context, tokens, imapUrl, timing })
        const running = watch(stopping.signal)
        onTestFinished(() => {
          stopping.abort()
          return running
        })
        const notes = site.db.selectFrom('settings').where('name', 'in', ['mailbox_inbox', 'mailbox_sent'])
        await expect.poll(() => notes.selectAll().execute()).toHaveLength(2)
      },
      texts: async () =>
        (await history(reference)).flatMap(({ what, text }) => (what === 'reply' ? [text] : [])),
    }
  }

  test('a file in a mailbox is fetched with a token, also after the last one was withdrawn', async () => {
    const { state, tokens, dovecot, imapUrl, answers, watch, texts } = await openMailbox()
    await watch(100)
    dovecot.deliver(withBody(answers, '1@x', 'Content-Type: application/pdf; name=plan.pdf\r\n\r\nThe plan'))
    await expect.poll(texts).toHaveLength(1)
    const events = site.db.selectFrom('lead_events').selectAll().where('what', '=', 'reply')
    const { received, ...event } = await events.executeTakeFirstOrThrow()
    withdraw(state)
    const env = { ...site.context.env, IMAP_URL: imapUrl }
    let file = ''
    await createFetchFile({ ...site.context, tokens, env })(
      { ...event, received: String(received) },
      0,
      async ({ name, bytes }) => {
        file = name
        for await (const part of bytes) file += ` ${Buffer.from(part)}`
      },
    )
    expect(file).toBe('plan.pdf The plan')
  })

  test('a mailbox is read with tokens, also after one was withdrawn, and once there is one again', async () => {
    const { state, tokens, dovecot, imapUrl, answers, watch, texts } = await openMailbox()
    await watch(100)
    dovecot.deliver(email(answers, '1@x'))
    await expect.poll(texts).toEqual(['Text 1@x'])

    withdraw(state)
    state.refusal = { status: 503, body: 'down' }
    await dovecot.stop('SIGKILL')
    await dovecot.start()
    await expect.poll(() => site.logLines.join()).toMatch(/cannot be read/)
    dovecot.deliver(email(answers, '2@x'))
    state.refusal = undefined
    site.advanceClock(10_000)
    await expect.poll(texts).toEqual(['Text 1@x', 'Text 2@x'])

    expect(await checkMailbox(imapUrl, tokens)).toMatchObject([{ state: 'ok' }])
    state.user = 'somebody@agency.example'
    expect(await checkMailbox(imapUrl, tokens)).toMatchObject([
      { state: 'problem', advice: expect.stringContaining('IMAP.AccessAsApp') },
    ])
    await dovecot.stop('SIGKILL')
    await dovecot.start()
    const reasons = async () => {
      // Only the first reason is logged.
      await writeTrouble(site.db, null)
      return site.logLines.join()
    }
    await expect.poll(reasons).toContain('The mail server refused the access token')
    expect(site.logLines.join()).not.toMatch(/access-token/)
  })
  test('if the token ends while the server waits for news, a later reply is read with another token', async () => {
    const { state, dovecot, answers, watch, texts } = await openMailbox()
    // So only the mail server says that there is something new.
    await watch(3_600_000)
    dovecot.deliver(email(answers, '1@x'))
    await expect.poll(texts).toEqual(['Text 1@x'])

    withdraw(state)
    dovecot.endConnections()
    await expect.poll(() => state.issued).toBe(2)
    dovecot.deliver(email(answers, '2@x'))
    await expect.poll(texts).toEqual(['Text 1@x', 'Text 2@x'])
    expect(state.requests).toHaveLength(2)
  })
})
