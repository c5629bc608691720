import { expect, test } from '@playwright/test'
import { contactSchema } from '#shared/contact-request.ts'
import { sampleRequest } from '../../server/proof/testing/sample-request.ts'
import { emailVectors } from '../../server/proof/testing/vectors.ts'

const storedAs = (email: string) => contactSchema.safeParse({ ...sampleRequest(), email }).data?.email

test('the server accepts every email address in the is_email suite that the browser accepts, and others only after cleaning them', async ({
  page,
}) => {
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
  expect(verdicts.filter(({ sent, isValid }) => (storedAs(sent) === sent) !== isValid)).toEqual([])
})
