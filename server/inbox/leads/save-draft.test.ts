import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, leadTools } from '../../proof/testing/leads.ts'
import { saveDraft } from './answer-lead.ts'

const site = useTestApp()

const { submit, drafts } = leadTools(site)
const { answer, undo } = answerTools(site)
const save = (
  who: string,
  reference: string,
  text: string,
  { version = 0, base = null as string | null } = {},
) => saveDraft(site.inboxDeps, { reference, who, version, text, base })

test('each owner has their own draft, and an empty draft is deleted', async () => {
  const reference = await submit()
  await save(anna, reference, 'Hello A')
  await save(bob, reference, 'Hello B')
  await save(anna, reference, 'Hello Ada', { base: 'Hello A' })
  await save(bob, reference, ' \n', { base: 'Hello B' })

  expect(await drafts()).toEqual([{ owner: anna, text: 'Hello Ada' }])
})

test('what an owner writes on two devices is never lost', async () => {
  const reference = await submit()
  await save(anna, reference, 'From the phone')

  for (const text of ['From the laptop', ''])
    await expect(save(anna, reference, text)).rejects.toMatchObject({
      code: 'conflict',
      facts: { current: { state: 'open', version: 0 }, draft: 'From the phone' },
    })
  expect(await drafts()).toEqual([{ owner: anna, text: 'From the phone' }])
  await save(anna, reference, 'From the phone')
  const both = 'From the laptop\n\nFrom the phone'
  await save(anna, reference, both, { base: 'From the phone' })
  expect(await drafts()).toEqual([{ owner: anna, text: both }])
})

test('if two devices save drafts at the same time, one is stored, and the other device gets an error that contains it', async () => {
  const reference = await submit()
  const results = await Promise.allSettled(['A', 'B'].map((text) => save(anna, reference, text)))

  const [stored] = await drafts()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { facts: { draft: stored?.text } },
  })
})

test('a draft that the network delivers only after the answer is not stored, not even if the answer is undone', async () => {
  const reference = await submit()
  const late = { reference, who: anna, version: 0, base: null, text: 'Yes' }
  await saveDraft(site.inboxDeps, late)
  await answer(reference, { base: 'Yes' })

  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([])
  await undo(reference)
  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
})

test.each([
  ['the draft that the page has seen', 'Hello', 'Hello'],
  ['a draft with the same text, even if the page never got the response to saving it', 'Yes, we can.', null],
])('an answer deletes %s', async (_what, text, base) => {
  const reference = await submit()
  await save(anna, reference, text)

  await answer(reference, { base })

  expect(await drafts()).toEqual([])
})

test("an answer keeps a draft that its page has not seen, and other owners' drafts", async () => {
  const reference = await submit()
  await save(anna, reference, 'From the phone')
  await save(bob, reference, 'Hello B')

  await answer(reference, { base: 'From the laptop' })
  await answer(reference, { who: bob, key: randomUUID(), base: 'From the phone' })

  expect(await drafts()).toEqual([
    { owner: anna, text: 'From the phone' },
    { owner: bob, text: 'Hello B' },
  ])
})

test('a repeated answer keeps a draft that was written after it, and undo adds that draft to the text', async () => {
  const reference = await submit()
  const send = () => answer(reference, { version: 0, base: 'Hello' })
  await save(anna, reference, 'Hello')
  await send()
  await save(anna, reference, 'From the phone', { version: 1 })

  expect(await send()).toMatchObject({ version: 1 })
  expect((await undo(reference, { who: bob })).text).toBe('Yes, we can.\n\nFrom the phone')
  await expect(send()).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.\n\nFrom the phone' }])
})
