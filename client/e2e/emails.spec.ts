import type { Page } from '@playwright/test'
import { colors } from '#facts/colors.ts'
import { contactSchema } from '#shared/contact-request.ts'
import { sampleEmails } from '../../server/proof/testing/sample-emails.ts'
import { sampleRequest } from '../../server/proof/testing/sample-request.ts'
import { emailVectors } from '../../server/proof/testing/vectors.ts'
import { violationsInBothThemes } from './axe.ts'
import { expect, test } from './test.ts'
import { toRgb } from './to-rgb.ts'

const sender = {
  mailFrom: { address: 'site@agency.example' },
  siteUrl: 'https://agency.example',
  hasInbox: true,
}

/**
 * Shows each of the emails. Returns what is wrong: those that load something, and what `look` finds
 * in the others.
 */
async function findInEach(
  page: Page,
  emails: ReturnType<typeof sampleEmails>,
  look: (name: string) => Promise<string[]>,
) {
  const found: string[] = []
  page.on('request', (request) => found.push(`loads ${request.url()}`))
  for (const [name, { html }] of Object.entries(emails)) {
    await page.setContent(html)
    found.push(...(await look(name)).map((flaw) => `${name}: ${flaw}`))
  }
  return found
}

async function tooWide(page: Page): Promise<string[]> {
  await page.setViewportSize({ width: 320, height: 800 })
  const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  return overflow > 0 ? ['too wide'] : []
}

// Background, text, and the background around the email.
const dark = [colors.background[1], colors.text[1], colors.background[1]].map(toRgb)

test('in every email, axe finds nothing in either theme, and nothing is loaded', async ({ page }) => {
  const found = await findInEach(page, sampleEmails(sender), async () => {
    const flaws = [...(await tooWide(page)), ...(await violationsInBothThemes(page))]
    const shown = await page.evaluate(() => {
      const { backgroundColor, color } = getComputedStyle(document.querySelector('div') ?? document.body)
      return [backgroundColor, color, getComputedStyle(document.body).backgroundColor]
    })
    if (shown.join() !== dark.join()) flaws.push(`wrong colors in dark mode: ${shown}`)
    return flaws
  })

  // Answers are personal emails, so they need no heading.
  expect(found.filter((flaw) => !/^answer.*page-has-heading-one/.test(flaw))).toEqual([])
})

test('emails with hostile text fit on a small phone and load nothing', async ({ page }) => {
  const words = 'W'.repeat(5_000)
  const fromRightToLeft = 'مرحبا <b>שלום</b> '.repeat(50)
  const markup = '</div></body><img src="https://evil.example/x.png"><style>*{display:none}</style>'
  for (const text of [words, fromRightToLeft + markup]) {
    const names = { firstName: text, lastName: text, company: text }
    const hostile = sampleEmails(sender, { ...names, phone: text, website: text, message: text })
    expect(await findInEach(page, hostile, () => tooWide(page)), text.slice(0, 20)).toEqual([])
  }
})

const storedAs = (email: string) => contactSchema.safeParse({ ...sampleRequest(), email }).data?.email

test('the server stores as typed exactly the email addresses that a browser accepts', async ({ page }) => {
  const verdicts = await page.evaluate(
    (values) =>
      values.map((value) => {
        const input = Object.assign(document.createElement('input'), { type: 'email', required: true, value })
        return { sent: input.value, isValid: input.checkValidity() }
      }),
    // Longer addresses have their own test: `maxlength` doesn't apply to values set by a script.
    emailVectors.filter((value) => value.length <= 254),
  )

  expect(verdicts.length).toBeGreaterThan(150)
  expect(verdicts.filter(({ sent, isValid }) => (storedAs(sent) === sent) !== isValid)).toEqual([])
})
