import { expect, test } from 'vitest'
import { firstReplies } from '#shared/inbox/saved-replies.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../proof/testing/leads.ts'
import { signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp()
const { submit } = leadTools(site)
const { answer } = answerTools(site)

test('an inbox begins with three replies, and keeps what owners make of them', async () => {
  const inbox = await signIn(site)
  expect((await inbox.get('/replies')).body).toEqual(firstReplies)
  const replies = [{ name: ' Quote ', text: 'Hello {first name}' }]
  const { status, body } = await inbox.put('/replies', { version: 0, replies })
  expect([status, body]).toEqual([
    200,
    { version: 1, replies: [{ name: 'Quote', text: 'Hello {first name}' }] },
  ])
  expect((await inbox.get('/replies')).body).toEqual(body)
})

test('of two owners who change the replies at once, the second is told', async () => {
  const inbox = await signIn(site)
  const save = (name: string) => inbox.put('/replies', { version: 0, replies: [{ name, text: 'x' }] })
  const results = await Promise.all([save('a'), save('b')])
  expect(results.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test.each([
  { version: 0, replies: [{ name: '', text: 'x' }] },
  { version: 0, replies: [{ name: 'x', text: ' ' }] },
  { version: 0, replies: [{ name: 'x', text: 'x'.repeat(20_001) }] },
  { version: 0, replies: Array(51).fill({ name: 'x', text: 'x' }) },
  { version: -1, replies: [] },
  {},
])('saved replies that are not valid (%#) are refused', async (body) => {
  const inbox = await signIn(site)
  expect((await inbox.put('/replies', body)).status).toBe(400)
})

test('an answer with a placeholder is refused', async () => {
  const reference = await submit()
  await expect(answer(reference, { text: 'Hello {first name}' })).rejects.toMatchObject({
    code: 'invalid_input',
    message: 'Please replace {first name} before you send the answer.',
  })
})
