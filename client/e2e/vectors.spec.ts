import { expect, test } from '@playwright/test'
import { type ContactField, contactSchema } from '#shared/contact-request.ts'
import { sampleRequest } from '../../server/proof/testing/sample-request.ts'
import { emailVectors, naughtyStrings } from '../../server/proof/testing/vectors.ts'

const isAccepted = (field: ContactField, value: string) =>
  contactSchema.safeParse({ ...sampleRequest(), [field]: value }).success

const webAddresses = [
  'https://example.com',
  'http://example.com:8080/a?b=c#d',
  'HTTPS://EXAMPLE.COM',
  'https://münchen.example/ä',
  'https://[::1]/',
  'https://1.2.3.4',
  'https://user:pass@example.com',
  'https://',
  'https://exa mple.com',
  'https:example.com',
  'http:/example.com',
  'https://example.com:99999',
  'https://%zz',
  'https://localhost',
  'https://a..b',
]

test('the browser and the server agree on every email address in the is_email suite', async ({ page }) => {
  const verdicts = await page.evaluate(
    (values) =>
      values.map((value) => {
        const input = document.createElement('input')
        input.type = 'email'
        input.required = true
        input.value = value
        return { sent: input.value, isValid: input.checkValidity() }
      }),
    // Longer addresses have their own test: `maxlength` doesn't apply to values set by a script.
    emailVectors.filter((value) => value.length <= 254),
  )

  expect(verdicts.length).toBeGreaterThan(150)
  expect(verdicts.filter(({ sent, isValid }) => isAccepted('email', sent) !== isValid)).toEqual([])
})

const naughtyAddresses = naughtyStrings
  .flatMap((text) => [`https://${text}`, `https://example.com/${text}`])
  // Without control characters and direction overrides, which the server rejects on purpose.
  .filter((text) => !/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text) && text === text.trim())

test('the browser and the server agree on common URLs, and the server accepts every unusual one that the browser accepts', async ({
  page,
}) => {
  const verdictsOn = (addresses: string[]) =>
    page.evaluate(
      (values) =>
        values.map((value) => {
          const input = document.createElement('input')
          input.type = 'url'
          input.value = value
          return { sent: input.value, isValid: input.checkValidity() }
        }),
      addresses,
    )

  const common = await verdictsOn(webAddresses)
  expect(common.filter(({ sent, isValid }) => isAccepted('website', sent) !== isValid)).toEqual([])
  const naughty = await verdictsOn(naughtyAddresses)
  expect(naughty.filter(({ isValid }) => isValid).length).toBeGreaterThan(300)
  expect(naughty.filter(({ sent, isValid }) => isValid && !isAccepted('website', sent))).toEqual([])
})
