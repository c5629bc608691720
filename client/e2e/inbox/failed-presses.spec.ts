import type { Locator, Page } from '@playwright/test'
import { addEvent } from '../../../server/leads/change/change-lead.ts'
import { anna, ben, expect, open, openLead, passTimeUntil, type Site, signInWithCode, test } from './test.ts'

/**
 * Presses a button while the server is down, fails, or has ended the session: each time, the page
 * says why, after the words `wrong`. Then the same button works.
 */
async function pressUntilItWorks(
  page: Page,
  site: Site,
  { name, request, wrong, done }: { name: string; request: string; wrong: string; done: Locator },
  whenDown = 'The server cannot be reached. Please check your connection.',
) {
  const button = page.getByRole('button', { name, exact: true })
  const mistake = (why: string) => page.getByText(`${wrong}${why}`, { exact: true })
  await page.route('**/*', (route) => route.abort())
  await button.click()
  await passTimeUntil(page, mistake(whenDown))
  await page.unroute('**/*')

  const json = { detail: 'The database cannot be read.' }
  await page.route(request, (route) => route.fulfill({ status: 500, json }))
  await button.click()
  await passTimeUntil(page, mistake(json.detail))
  await page.unroute(request)

  await site.db.deleteFrom('sessions').where('owner', '=', anna).execute()
  // The sheet may already cover it.
  await button.evaluate((element: HTMLElement) => element.click())
  const sheet = page.getByRole('dialog', { name: 'Please sign in again' })
  await expect(sheet).toBeVisible()
  await signInWithCode(page, site)
  await expect(sheet).toHaveCount(0)
  await button.click()
  await expect(done).toBeVisible()
  await expect(mistake(json.detail)).toHaveCount(0)
}

test('an earlier part of a conversation that could not be loaded can be loaded later', async ({
  page,
  site,
}) => {
  const { id } = await site.lead('Dana')
  const note = { lead_id: id, at: site.now().toISOString(), who: ben, what: 'note' } as const
  for (let count = 1; count <= 55; count++) await addEvent(site.db, { ...note, text: `Note ${count}.` })
  await openLead(page, site, 'Dana')

  const done = page.getByText('Note 1.', { exact: true })
  const request = '**/events?before=*'
  await pressUntilItWorks(page, site, { name: 'Show earlier', request, wrong: 'Not loaded: ', done })
})

test('a passkey that could not be added can be added later', async ({ page, site, browserErrors }) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const confirms = { hasResidentKey: true, hasUserVerification: true, isUserVerified: true }
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: { protocol: 'ctap2', transport: 'internal', ...confirms },
  })
  await open(page, '/inbox/access')

  const done = page.getByText('Passkey added.')
  const request = '**/access/passkeys/options'
  await pressUntilItWorks(
    page,
    site,
    { name: 'Add a passkey', request, wrong: '', done },
    'A part of this page is missing. Check your connection, then reload the page.',
  )
  // Of the script that was missing.
  expect(browserErrors.splice(0)).toEqual(['Failed to load resource: net::ERR_FAILED'])
})
