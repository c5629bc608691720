import type { Page } from '@playwright/test'
import { createServer } from 'vite'
import * as footer from '#brand/words/footer.ts'
import * as form from '#brand/words/form.ts'
import * as header from '#brand/words/header.ts'
import * as hero from '#brand/words/hero.ts'
import * as notFound from '#brand/words/not-found.ts'
import { startProject } from '#brand/words/portfolio.ts'
import * as pricing from '#brand/words/pricing.ts'
import { questions, title as questionsTitle } from '#brand/words/questions.ts'
import { services } from '#brand/words/services.ts'
import { brand } from '#facts/brand.ts'
import { hours } from '#facts/hours.ts'
import { plans } from '#facts/plans.ts'
import { portfolio } from '#facts/portfolio.ts'
import { includedInAllPlans } from '#facts/promises.ts'
import { budgetTiers } from '#shared/budget-tiers.ts'
import { formatMoney } from '#shared/money.ts'
import { confirmation, expect, fillIn, pageTest, sendButton, test } from './test.ts'

const section = (page: Page, id: string) => page.locator(`section#${id}`)
const banner = (page: Page) => page.getByRole('banner')
/** The sections that the navigation links to. */
const sections = ['services', 'pricing', 'portfolio', 'contact'] as const

pageTest(
  'each navigation link leads to its section and is then highlighted, also after back, forward and reload',
  async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'no-preference' })
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto('/')
    const current = banner(page).locator('[aria-current]')
    const expectSection = async (id: (typeof sections)[number]) => {
      await expect(page).toHaveURL(new RegExp(`#${id}$`))
      await expect(section(page, id).getByRole('heading').first()).toBeInViewport()
      await expect(current).toHaveText(header.entries[id])
      // Going back while the page still scrolls would be undone by the scrolling.
      const position = () => page.evaluate(() => scrollY)
      const isStill = async () => {
        const before = await position()
        await page.waitForTimeout(100)
        return (await position()) === before
      }
      await expect.poll(isStill).toBe(true)
    }
    await expect(current).toHaveCount(0)
    await banner(page).getByRole('link', { name: header.getQuote }).click()
    await expectSection('contact')
    for (const id of sections) {
      await banner(page).getByRole('link', { name: header.entries[id], exact: true }).click()
      await expectSection(id)
    }

    // Smooth scrolling would briefly highlight the sections that it passes.
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goBack()
    await expectSection('portfolio')
    await page.reload()
    await expectSection('portfolio')
    await page.goForward()
    await expectSection('contact')
  },
)

pageTest(
  'the page has every service, plan, budget and answer, and every link leads where it says',
  async ({ page }) => {
    await page.goto('/')
    await expect(page.locator('html')).toHaveAttribute('data-laid-out')

    await test.step('every call to action links to the form or the portfolio', async () => {
      const targets = async (name: string) =>
        page
          .getByRole('link', { name })
          .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash))

      expect(await targets(hero.getQuote)).toEqual(['#contact'])
      expect(await targets(hero.viewWork)).toEqual(['#portfolio'])
      expect(await targets(pricing.getStarted)).toEqual(plans.map(() => '#contact'))
      expect(await targets(startProject)).toEqual(['#contact'])
      expect((await targets(pricing.contact)).at(0)).toBe('#contact')
    })

    await test.step('the page shows every service, plan and budget', async () => {
      for (const { title: name } of services)
        await expect(section(page, 'services').getByRole('heading', { name, exact: true })).toBeVisible()
      for (const { name, setup, monthly, size, hosting, features, popular } of plans) {
        const card = section(page, 'pricing')
          .locator('article, li')
          .filter({ has: page.getByRole('heading', { name }) })
          .first()
        for (const text of [formatMoney(setup), formatMoney(monthly), size, hosting, ...features])
          await expect(card).toContainText(text)
        await expect(card.getByText(pricing.popular)).toHaveCount(popular ? 1 : 0)
      }
      for (const { name } of includedInAllPlans) await expect(section(page, 'pricing')).toContainText(name)
      expect(await page.getByLabel('Budget').locator('option').allTextContents()).toEqual(
        expect.arrayContaining(Object.values(budgetTiers)),
      )
    })

    await test.step('the page answers the common questions and links to email and phone', async () => {
      const contact = section(page, 'contact')

      await expect(contact.getByRole('heading', { name: questionsTitle })).toBeVisible()
      for (const { question, answer } of questions) {
        await expect(contact.getByRole('heading', { name: question })).toBeVisible()
        await expect(contact.getByText(answer)).toBeVisible()
      }
      await expect(contact.getByRole('link', { name: brand.email })).toHaveAttribute(
        'href',
        `mailto:${brand.email}`,
      )
      await expect(contact.getByRole('link', { name: brand.phone })).toHaveAttribute(
        'href',
        `tel:${brand.phoneLink}`,
      )
      await expect(page.getByRole('contentinfo')).toContainText(footer.company)
    })

    await test.step('the form describes itself to AI agents', async () => {
      const formOnPage = page.locator('form')

      await expect(formOnPage).toHaveAttribute('toolname', 'request_quote')
      await expect(formOnPage).toHaveAttribute('tooldescription', form.purpose)
      for (const [field, hint] of Object.entries(form.hints))
        await expect(formOnPage.locator(`[name=${field}]`)).toHaveAttribute('toolparamdescription', hint)
    })

    await test.step('the icons are a file for search engines and an SVG', async () => {
      const icons = await page.locator('link[rel=icon]').evaluateAll((links) =>
        Promise.all(
          (links as HTMLLinkElement[]).map(async ({ href }) => {
            const image = new Image()
            image.src = href
            await image.decode()
            return { scheme: new URL(href).protocol, width: image.naturalWidth }
          }),
        ),
      )

      expect(icons).toEqual([
        { scheme: 'http:', width: 48 },
        { scheme: 'http:', width: expect.any(Number) },
      ])
    })
  },
)

pageTest(
  'on a small screen, the menu button toggles a menu that closes when a link is clicked',
  async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/')
    const button = banner(page).getByRole('button', { name: header.menu })
    const entry = banner(page).getByRole('link', { name: header.entries.pricing, exact: true })

    await expect(entry).toBeHidden()
    await button.click()
    await expect(entry).toBeVisible()
    await button.click()
    await expect(entry).toBeHidden()

    await button.click()
    await entry.click()
    await expect(entry).toBeHidden()
    await expect(section(page, 'pricing').getByRole('heading').first()).toBeInViewport()

    await button.click()
    await page.keyboard.press('Escape')
    await expect(entry).toBeHidden()
    await expect(button).toBeFocused()

    await button.click()
    await expect(entry).toBeVisible()
    // Outside the menu: in the margin to the left of the page's text.
    await page.mouse.click(4, 600)
    await expect(entry).toBeHidden()
    await expect(button).toBeFocused()

    await page.keyboard.press('Enter')
    for (const name of [...Object.values(header.entries), brand.phone, header.getQuote]) {
      await page.keyboard.press('Tab')
      await expect(banner(page).getByRole('link', { name })).toBeFocused()
      await expect(entry).toBeVisible()
    }
    await page.keyboard.press('Tab')
    await expect(entry).toBeHidden()
  },
)

pageTest(
  'an unknown path shows our 404 page, logs the path and links home',
  async ({ page, browserErrors }) => {
    const response = await page.goto('/no/such/page?x=1')

    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(notFound.title)
    await expect.poll(() => browserErrors.filter((line) => line.includes('/no/such/page'))).toHaveLength(1)
    await page.getByRole('link', { name: notFound.returnHome }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(notFound.title)
    // One line is ours, the other is the browser's about the 404 response.
    expect(browserErrors).toHaveLength(2)
    browserErrors.length = 0
  },
)

pageTest(
  'each portfolio card opens its site in a new tab, and no page requests anything from other origins or violates the CSP',
  async ({ page, context, baseURL }) => {
    const requests: string[] = []
    context.on('request', (request) => requests.push(request.url()))
    /** Scrolls down to trigger lazy loading. */
    const loadAll = async (site: Page) => {
      await site.evaluate(() => window.scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
      await site.waitForLoadState('networkidle')
    }
    await page.goto('/')
    await loadAll(page)
    for (const { title } of portfolio) {
      const [site] = await Promise.all([
        context.waitForEvent('page'),
        section(page, 'portfolio')
          .getByRole('link', { name: new RegExp(title) })
          .click(),
      ])
      await expect(site.getByRole('heading', { level: 1 })).toBeVisible()
      expect(new URL(site.url()).pathname).toMatch(/^\/work\//)
      await loadAll(site)
      await site.close()
    }

    expect(requests).toEqual(expect.arrayContaining(portfolio.map(({ url }) => baseURL + url)))
    expect(requests.filter((url) => !url.startsWith(String(baseURL)))).toEqual([])
  },
)

pageTest('the page is painted in the fallback fonts before it loads the web fonts', async ({ page }) => {
  const fonts: string[] = []
  page.on('request', (request) => request.url().endsWith('.woff2') && fonts.push(request.url()))
  // Without its script, the page stays as it was first painted.
  await page.route('**/', async (route) => {
    const response = await route.fetch()
    const body = (await response.text()).replace(/<script type="module">.*?<\/script>/s, '')
    await route.fulfill({ response, body })
  })
  await page.goto('/', { waitUntil: 'networkidle' })
  await expect(page.locator('h1')).toHaveCSS('font-family', /^"Display fallback"/)
  expect(fonts).toEqual([])

  await page.unroute('**/')
  await page.goto('/')
  await expect(page.locator('h1')).toHaveCSS('font-family', /^"Bricolage Grotesque"/)
  await expect.poll(() => fonts.length).toBe(2)
})

pageTest(
  'if the style sheet fails to load, all content is visible after a while',
  async ({ page, browserErrors }) => {
    await page.route('**/assets/style-*.css', (route) => route.abort())
    await page.goto('/')

    await expect(page.getByRole('heading', { name: pricing.title })).toBeVisible({ timeout: 15_000 })
    await expect(page.getByText(footer.noTrackers)).toBeVisible()
    browserErrors.length = 0
  },
)

pageTest('fonts that fail or never load do not block the page', async ({ page, browserErrors }) => {
  await page.route('**/bricolage*.woff2', (route) => route.abort())
  await page.route('**/instrument*.woff2', () => {})
  await page.goto('/', { waitUntil: 'domcontentloaded' })

  await expect(page.locator('form')).toHaveAttribute('toolname')
  await expect(page.locator('h1')).toHaveCSS('font-family', /^"Display fallback"/)
  browserErrors.length = 0
})

pageTest(
  'in development, Vite serves the page and proxies the form to the server',
  async ({ page, baseURL }) => {
    const vite = await createServer({
      configFile: 'client/vite.config.ts',
      logLevel: 'error',
      server: { proxy: { '/functions': String(baseURL) } },
    })
    try {
      await vite.listen()
      await page.goto(vite.resolvedUrls?.local[0] ?? '')
      await expect(page.locator('h1')).toHaveCSS('font-family', /^"Bricolage Grotesque"/)
      await fillIn(page)
      await sendButton(page).click()
      await expect(confirmation(page)).toBeVisible()
      // Ends the page's requests before the server ends, which the browser would report as errors.
      await page.goto('about:blank')
    } finally {
      await vite.close()
    }
  },
)

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  pageTest(
    'all content is visible, the office hours follow each phone number, and navigation works without the menu button',
    async ({ page }) => {
      await page.setViewportSize({ width: 360, height: 740 })
      await page.goto('/')

      await expect(page.locator('h1')).toHaveCSS('font-family', /^"Bricolage Grotesque"/)
      for (const id of sections) await expect(section(page, id).getByRole('heading').first()).toBeVisible()
      await expect(sendButton(page)).toBeVisible()
      await expect(banner(page).getByRole('button', { name: header.menu })).toBeHidden()
      await banner(page).getByRole('link', { name: header.entries.portfolio, exact: true }).click()
      await expect(section(page, 'portfolio').getByRole('heading').first()).toBeInViewport()

      for (const width of [360, 1280]) {
        await page.setViewportSize({ width, height: 740 })
        await page.locator('footer').scrollIntoViewIfNeeded()
        await expect(page.getByRole('complementary', { name: header.callBar })).toBeHidden()
        await expect(page.locator('#contact dl [data-office-hours]')).toHaveText(hours.text)
      }
      await expect(banner(page).locator('a[href^="tel:"]')).toHaveText(`${brand.phone}${hours.text}`)
    },
  )
})
