import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools, postForm } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { leads } = contactTools(site)

test('a form sent without JavaScript is stored, and the response redirects to the confirmation', async () => {
  const response = await postForm(site.app, sampleRequest()).expect(303)

  const [{ reference } = { reference: '' }] = await leads()
  expect(response.headers.location).toBe(`/?sent=${reference}#sent`)
  expect(await leads()).toMatchObject([
    { first_name: 'Ada', message: 'We need a new site.\nWhen can you start?' },
  ])
})

test('the response to an invalid form sent without JavaScript is a page with the errors', async () => {
  const wrong = sampleRequest({ email: 'nobody', message: '<script>alert("hi")</script>' })

  const response = await postForm(site.app, wrong).expect(400)

  expect(response.type).toBe('text/html')
  expect(response.text).toContain('Please check the marked fields')
  expect(response.text).toContain(
    '<strong>Email</strong>: Please enter an email address like name@example.com.',
  )
  expect(response.text).not.toContain('alert(')
})
