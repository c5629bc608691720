import type { Page } from '@playwright/test'
import { CODE_ELSEWHERE, CODE_WRONG, showCode } from '#shared/inbox/api.ts'
import { createSignInLink } from '../../../server/inbox/sign-in/codes.ts'
import { anna, ben, expect, press, row, type Site, test } from './test.ts'

/** Asks for a code, and returns the link in the email. */
async function askForLink(page: Page, site: Site) {
  await page.goto('/inbox')
  await page.getByLabel('Your email address').fill(anna)
  return site.textInEmail(/http\S+#code=\S+/, () => press(page, 'Email me a code'))
}

/** Loads the page, as a link in an email does. Otherwise, only the fragment could change. */
async function open(page: Page, link: string) {
  await page.goto('about:blank')
  await page.goto(link)
}

async function expectCode(page: Page, link: string) {
  const [, code = ''] = link.split('#code=')
  await expect(page.getByText(showCode(code))).toBeVisible()
  await expect(page.getByText(CODE_ELSEWHERE)).toBeVisible()
  expect(page.url()).not.toContain(code)
}

test('a link from an email signs in the browser that asked for it, shows the code in another, and works once', async ({
  page,
  context,
  site,
  browser,
}) => {
  const signedIn = page.getByText('Dana Whitfield')
  const laptop = await browser.newPage({ baseURL: site.url })
  await context.clearCookies()
  const link = await askForLink(page, site)

  await open(laptop, link)
  await expectCode(laptop, link)
  await open(page, link)
  await expect(signedIn).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/inbox')
  await open(page, link)
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await expect(page.getByText(CODE_WRONG)).toBeVisible()

  const elsewhere = await askForLink(laptop, site)
  await context.clearCookies({ name: /sign-in/ })
  await open(page, elsewhere)
  await expectCode(page, elsewhere)
  await press(page, 'Continue in this browser')
  await expect(signedIn).toBeVisible()
  await laptop.close()
})

test('a link that is opened while an owner is signed in signs in again, or switches to its owner', async ({
  page,
  site,
}) => {
  const owners = async () => {
    const sessions = await site.db.selectFrom('sessions').select(['id', 'owner']).orderBy('owner').execute()
    return sessions.filter(({ owner }) => owner === anna || owner === ben)
  }
  const open = async (owner: string) => {
    const { url } = await createSignInLink(site.db, owner, site.url, site.now())
    // Only the fragment changes.
    await page.goto(url.replace('/sign-in#', '#'))
  }
  await page.goto('/inbox')
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  const [first] = await owners()

  await open(anna)
  await expect.poll(async () => (await owners())[0]?.id).not.toBe(first?.id)
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  expect(page.url()).not.toContain('#')

  // The page reloads, so that nothing of the first owner's stays in memory.
  const reloaded = page.waitForEvent('load')
  await open(ben)
  await reloaded
  await expect(row(page, 'Dana Whitfield')).toBeVisible()
  expect((await owners()).map(({ owner }) => owner)).not.toContain(anna)
})
