import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { queryDatabase } from '../proof/faults/query-database.ts'
import { hasDovecot, startDovecot } from '../proof/testing/dovecot.ts'
import { openInbox } from '../proof/testing/inbox.ts'
import { createRecordingClient } from '../proof/testing/recording-client.ts'
import { newDataDir, startProgram } from '../proof/testing/start-program.ts'
import { openTokenEndpoint } from '../proof/testing/token-endpoint.ts'

const owner = 'anna@agency.example'
const clientSecret = 'hidden-client-secret'

describe.skipIf(!hasDovecot())('with a real mail service', () => {
  test.each([
    ['the client', undefined],
    ['a refresh token', 'hidden-refresh-token'],
  ])(
    'a lead is noticed, and a reply is read, with tokens of %s, which are shown nowhere',
    async (_whose, refreshToken) => {
      const endpoint = await openTokenEndpoint(refreshToken === undefined ? {} : { refreshToken })
      const dovecot = await startDovecot(undefined, endpoint.checkUrl)
      endpoint.state.user = dovecot.user
      const smtp = await openInbox({
        authMethods: ['XOAUTH2'],
        authOptional: false,
        onAuth: ({ accessToken = '' }, _session, done) =>
          endpoint.state.valid.has(accessToken)
            ? done(null, { user: 'u' })
            : done(null, { data: { status: '401' } }),
      })
      const folder = newDataDir()
      const program = await startProgram({
        DATA_DIR: folder.path,
        SITE_URL: 'http://localhost',
        MAIL_FROM: 'site@agency.example',
        MAIL_TO: owner,
        SMTP_URL: smtp.url.replace('//', `//${encodeURIComponent(dovecot.user)}@`),
        IMAP_URL: dovecot.url.replace(/:[^:@]*@/, '@'),
        OAUTH_TOKEN_URL: endpoint.url,
        OAUTH_CLIENT_ID: 'client',
        OAUTH_CLIENT_SECRET: clientSecret,
        ...(refreshToken && { OAUTH_REFRESH_TOKEN: refreshToken }),
      })
      onTestFinished(async () => {
        await program.stop('SIGKILL')
        await Promise.all([smtp.close(), dovecot[Symbol.asyncDispose](), endpoint[Symbol.asyncDispose]()])
        folder[Symbol.dispose]()
      })
      const count = (what: string) => queryDatabase({ DATA_DIR: folder.path }, (stored) => stored.count(what))
      await expect.poll(() => count("from settings where name = 'mailbox_inbox'")).toBe(1)

      await createRecordingClient().post(program.url, { email: 'ada@example.com' })
      await expect.poll(() => smtp.emails.length).toBe(1)
      const { messageId } = await smtp.read(0)
      dovecot.deliver(
        `From: ada@example.com\r\nMessage-ID: <1@x>\r\nIn-Reply-To: ${messageId}\r\n\r\nYes\r\n`,
      )
      await expect.poll(() => smtp.emails.length).toBe(2)

      expect((await smtp.read(1)).text).toContain('Yes')
      expect(endpoint.state.issued).toBe(1)
      await program.stop()
      const written = readFileSync(join(folder.path, 'leads.db'), 'latin1') + program.lines.join()
      expect(written).not.toMatch(/hidden-|access-token-|refresh-token-/)
    },
  )
})
