import { expect, test } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact-tools.ts'
import { postForm } from '../proof/testing/post-contact.ts'
import { samplePlan } from '../proof/testing/sample-plan.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { leads, verdicts } = contactTools(site)

test('a form sent without JavaScript is stored, and the response redirects to the confirmation', async () => {
  const response = await postForm(site.app, sampleRequest()).expect(303)

  const [{ reference } = { reference: '' }] = await leads()
  expect(response.headers.location).toBe(`/?sent=${reference}#sent`)
  expect(await leads()).toMatchObject([
    { first_name: 'Ada', message: 'We need a new site.\nWhen can you start?' },
  ])
})

test('the response to an invalid form sent without JavaScript is a page with the error and the input', async () => {
  const wrong = sampleRequest({ email: 'nobody', message: '<script>alert("hi")</script>' })

  const response = await postForm(site.app, wrong).expect(400)

  expect(response.type).toBe('text/html')
  expect(response.text).toContain('Please enter an email address like name@example.com.')
  expect(response.text).toContain('value="nobody"')
  expect(response.text).toContain('value="&lt;script&gt;alert(&quot;hi&quot;)&lt;/script&gt;"')
  expect(response.text).toContain(`name="budget" value="${samplePlan.id}"`)
})

test('a filled-in honeypot is a sign of spam even if the form is sent without JavaScript', async () => {
  const form = { ...sampleRequest(), [honeypotField]: 'x' }
  await postForm(site.app, form).expect(303)

  expect((await verdicts())[0]?.[1]).toContain('A field that people cannot see')
})

test('a rejected form contains the honeypot and a token, so sending it again gives a spam score of zero', async () => {
  const send = (form: object) => postForm(site.app, form)
  const refused = await send({ ...sampleRequest({ email: 'nobody' }), [honeypotField]: '' }).expect(400)
  const filledIn = (name: string) => refused.text.match(`name="${name}" value="([^"]*)"`)?.[1]
  site.advanceClock(3000)

  const clues = { [honeypotField]: filledIn(honeypotField), [formTokenField]: filledIn(formTokenField) }
  await send({ ...sampleRequest(), ...clues }).expect(303)

  expect(clues[honeypotField]).toBe('')
  expect(await verdicts()).toEqual([[0, '[]']])
})

test('the page that shows a rejected form again keeps the content of the honeypot', async () => {
  const form = { ...sampleRequest({ email: 'nobody' }), [honeypotField]: 'by a "program"' }

  const refused = await postForm(site.app, form).expect(400)

  expect(refused.text).toContain(`name="${honeypotField}" value="by a &quot;program&quot;"`)
})
