import { expect, test } from 'vitest'
import { firstReplies } from '#shared/inbox/saved-replies.ts'
import { writeNote } from '../database/notes.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, leadTools } from '../proof/testing/leads.ts'
import { signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp()
const { submit } = leadTools(site)
const { answer } = answerTools(site)

test('an inbox begins with three replies, which owners change, add to and delete', async () => {
  const inbox = await signIn(site)
  const [first, second = null, third] = firstReplies.replies
  expect((await inbox.get('/replies')).body).toEqual(firstReplies)
  const quote = { name: 'Quote', text: 'Hello {first name}' }
  await inbox.put('/replies', { before: second, after: { ...quote, name: ' Quote ' } })
  expect((await inbox.get('/replies')).body).toEqual({ replies: [first, quote, third] })
  await inbox.put('/replies', { before: first, after: null })
  // The second time, as if the first response was lost.
  for (const _ of [1, 2]) {
    const { status, body } = await inbox.put('/replies', { before: null, after: second })
    expect([status, body]).toEqual([200, { replies: [quote, third, second] }])
  }
})

test('of two owners who change a reply at once, none loses the text; a repeated change is made once', async () => {
  const inbox = await signIn(site)
  const [before, ...others] = firstReplies.replies
  const [a, b] = ['a', 'b'].map((name) => ({ name, text: 'x' }))
  await Promise.all([a, b, a].map((after) => inbox.put('/replies', { before, after })))
  const { replies } = (await inbox.get('/replies')).body
  expect(replies).toHaveLength(4)
  expect(replies).toEqual(expect.arrayContaining([a, b, ...others]))
})

test('an inbox keeps at most fifty replies', async () => {
  const inbox = await signIn(site)
  const reply = (_: unknown, index: number) => ({ name: `${index}`, text: 'x' })
  await writeNote(site.db, 'saved_replies', { replies: Array.from({ length: 50 }, reply) })
  const { status, body } = await inbox.put('/replies', { before: null, after: { name: 'x', text: 'x' } })
  expect([status, body.detail]).toEqual([400, 'Please keep at most 50 replies.'])
})

test.each([
  { before: null, after: { name: '', text: 'x' } },
  { before: null, after: { name: 'x', text: ' ' } },
  { before: null, after: { name: 'x', text: 'x'.repeat(20_001) } },
  { after: { name: 'x', text: 'x' } },
  {},
])('a saved reply that is not valid (%#) is refused', async (body) => {
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
