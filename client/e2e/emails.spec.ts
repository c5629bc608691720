import { type Page, test as plainTest } from '@playwright/test'
import { colors } from '#facts/colors.ts'
import { sampleEmails } from '../../server/proof/testing/sample-emails.ts'
import { violations } from './axe.ts'
import { expect } from './test.ts'
import { toRgb } from './to-rgb.ts'

/** By how many pixels the page is wider than the viewport. */
async function overflow(page: Page, width: number): Promise<number> {
  await page.setViewportSize({ width, height: 800 })
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
}

// Background, text, and the background around the email.
const dark = [colors.background[1], colors.text[1], colors.background[1]].map(toRgb)

/** The violations in both themes, which differ only in colors. Answers are personal emails, so they need no heading. */
async function violationsIn(page: Page, name: string): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light' })
  const found = await violations(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  found.push(...(await violations(page, ['color-contrast'])))
  const colors = await page.evaluate(() => {
    const { backgroundColor, color } = getComputedStyle(document.querySelector('div') ?? document.body)
    return [backgroundColor, color, getComputedStyle(document.body).backgroundColor]
  })
  if (colors.join() !== dark.join()) found.push(`wrong colors in dark mode: ${colors}`)
  return found.filter((rule) => !(name.startsWith('answer') && rule.startsWith('page-has-heading-one')))
}

const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
  hasInbox: true,
}

plainTest('in every email, axe finds nothing in either theme, and nothing is loaded', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const found: string[] = []
  const emails = Object.entries(sampleEmails(sender))
  for (const [name, { html }] of emails) {
    await page.setContent(html)
    for (const width of [320, 600])
      if ((await overflow(page, width)) > 0) found.push(`${name}: wider than ${width}`)
    found.push(...(await violationsIn(page, name)).map((violation) => `${name}: ${violation}`))
  }

  expect(emails.length).toBeGreaterThan(10)
  expect(found).toEqual([])
  expect(requests).toEqual([])
})

const hostile = {
  'long words': 'W'.repeat(5_000),
  'right-to-left text': 'مرحبا <b>שלום</b> '.repeat(50),
  markup: '</div></body><img src="https://evil.example/x.png"><style>*{display:none}</style>',
}

plainTest('emails with hostile text fit on a small phone and load nothing', async ({ page }) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const tooWide: string[] = []
  for (const [what, text] of Object.entries(hostile)) {
    const changes = {
      firstName: text,
      lastName: text,
      company: text,
      phone: text,
      website: text,
      message: text,
    }
    for (const [name, { html }] of Object.entries(sampleEmails(sender, changes))) {
      await page.setContent(html)
      if ((await overflow(page, 320)) > 0) tooWide.push(`${name} with ${what}`)
    }
  }

  expect(tooWide).toEqual([])
  expect(requests).toEqual([])
})
