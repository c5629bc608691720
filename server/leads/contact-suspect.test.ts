import type request from 'supertest'
import { expect, test } from 'vitest'
import { formTokenField, honeypotField } from '#shared/contact-request.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { contactTools } from '../proof/testing/contact.ts'
import { sampleRequest } from '../proof/testing/sample-request.ts'

const site = useTestApp()
const { post, emails, verdicts, issueToken } = contactTools(site)

test('suspected spam is stored with the reasons, a notice about it is queued, and the response is the usual one', async () => {
  const clues = { [formTokenField]: await issueToken(), [honeypotField]: 'x' }

  const suspect = await post({ ...sampleRequest(), ...clues }).expect(200)

  const honest = await post(sampleRequest({ message: 'Something else' })).expect(200)
  const shape = ({ body, headers }: request.Response) => [Object.keys(body), Object.keys(headers)]
  expect(shape(suspect)).toEqual(shape(honest))
  expect((await verdicts())[0]).toEqual([10, expect.stringMatching(/cannot see.*within 2 seconds/)])
  expect(await emails()).toHaveLength(2)
})

test('a form token is good for one lead, even if both arrive at once', async () => {
  const token = await issueToken()
  site.advanceClock(60_000)
  const send = (name: string) =>
    post({ ...sampleRequest({ firstName: name }), [formTokenField]: token }).expect(200)

  await Promise.all([send('Ada'), send('Grace')])
  await send('Mary')

  expect((await verdicts()).map(([score]) => score).toSorted()).toEqual([0, 1, 1])
})

test('a long message from several senders counts as repeated for a week, but a short one never does', async () => {
  const long = 'We would be glad to have a new site for the shop.'
  let sent = 0
  const send = (message: string, name: string) =>
    post(sampleRequest({ message, email: `${name}@example.com` }), { 'Idempotency-Key': `${++sent}` })
  for (const name of ['a', 'b', 'b']) await send(long, name)
  await send('Please call.', 'a')
  await send('Please call.', 'b')
  site.advanceClock(8 * 24 * 3600_000)
  await send(long, 'c')

  const found = (await verdicts()).map(([, reasons]) => /other senders.*?(\d)/i.exec(String(reasons))?.[1])
  expect(found).toEqual([undefined, '1', '1', undefined, undefined, undefined])
})
