import { contactPath } from '#shared/contact-request.ts'
import { test as inboxTest, openReply } from './inbox/test.ts'
import {
  confirmation,
  expect,
  fieldOf,
  fillIn,
  pageTest,
  query,
  sample,
  sendButton,
  siteTest as test,
  waitForHydration,
} from './test.ts'

test('what people type into the address and the optional fields is cleaned or kept, and sent', async ({
  page,
  program,
  dataDir,
}) => {
  const typed = [
    ['Ada <ada@example.com>', 'ada@example.com', 'none'],
    ['\u3000bob@example.com\u200b', 'bob@example.com', '@larkspurbakery'],
    ['info@bäckerei-müller.example', 'info@xn--bckerei-mller-bfb28a.example', 'Facebook: Larkspur'],
  ] as const
  await page.goto(program.url)
  await waitForHydration(page)

  for (const [index, [email, , website]] of typed.entries()) {
    await fillIn(page, { 'Last name': '-', Email: email, Website: website, Phone: 'after 5pm' })
    await sendButton(page).click()
    await expect
      .poll(() => query(dataDir, 'select email, website, last_name from leads order by created_at'))
      .toEqual(typed.slice(0, index + 1).map(([, email, website]) => ({ email, website, last_name: '-' })))
    await expect(confirmation(page)).toBeVisible()
  }
})

pageTest('no key of the form claims to move on, and Hebrew is typed from right to left', async ({ page }) => {
  await page.goto('/')
  await waitForHydration(page)
  await page.route(`**${contactPath}`, (route) => route.abort())

  await expect(page.locator('form [enterkeyhint]')).toHaveCount(0)
  for (const label of ['First name', 'Last name', 'Company', 'Message'] as const) {
    await fieldOf(page, label).fill('שלום, SEO')
    await expect(fieldOf(page, label)).toHaveCSS('direction', 'rtl')
    await fieldOf(page, label).fill(sample[label])
    await expect(fieldOf(page, label)).toHaveCSS('direction', 'ltr')
  }
})

inboxTest('in the inbox, a text has the direction of its own language', async ({ page, site }) => {
  const message = 'אנחנו צריכים אתר עם SEO.\nWe also need hosting.'
  const typed = { message, company: 'מאפייה (Tel Aviv)', phone: 'call me', website: 'none' }
  await site.arrive('יעל', 'כהן', { ...typed, email: 'yael@example.com' })

  await openReply(page, site, 'יעל')
  const found = page.getByRole('region', { name: 'Message' }).getByText('SEO')
  await expect(found).toHaveCSS('direction', 'rtl')
  await expect(found).toHaveCSS('unicode-bidi', 'plaintext')
  await expect(page.locator('h1 bdi')).toHaveCSS('direction', 'rtl')
  await expect(page.locator('dd bdi').filter({ hasText: 'Tel Aviv' })).toHaveCSS('direction', 'rtl')
  await expect(page.locator('a[href^="tel:"], dd a[href*="none"]')).toHaveCount(0)
  await page.getByLabel('Your answer').fill('שלום')
  await expect(page.getByLabel('Your answer')).toHaveCSS('direction', 'rtl')
})
