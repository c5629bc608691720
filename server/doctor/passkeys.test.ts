import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../proof/testing/build-test-app.ts'
import { signIn } from '../proof/testing/owner-browser.ts'
import { createAuthenticator } from '../proof/testing/software-authenticator.ts'
import { checkContents } from './contents.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const check = async (siteUrl: string) => {
  const findings = await checkContents(site.db, { siteUrl }, site.clock.now)
  return findings.filter((finding) => finding.check === 'passkeys')
}

test('doctor warns that passkeys do not work after SITE_URL changes', async () => {
  const browser = await signIn(site)
  const { body } = await browser.post('/access/passkeys/options')
  await browser.post('/access/passkeys', createAuthenticator().create(body))

  expect(await check('https://agency.example')).toMatchObject([
    { state: 'ok', seen: '1 passkey for agency.example.' },
  ])
  expect(await check('https://www.agency.example')).toMatchObject([
    {
      state: 'warning',
      seen: '1 passkey was added at agency.example and cannot be used at www.agency.example, the host name in SITE_URL.',
      advice:
        'Sign in with a code and add new ones at https://www.agency.example/inbox/access, or set SITE_URL back to agency.example.',
    },
  ])
})

test('if there are no passkeys, doctor does not mention them', async () => {
  expect(await check('https://agency.example')).toEqual([])
})
