import { expect, test } from 'vitest'
import { answerTools } from '../../proof/testing/answer-tools.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, bob, leadTools } from '../../proof/testing/lead-tools.ts'
import { saveDraft } from './save-draft.ts'

const site = useTestApp()

const { submit, drafts } = leadTools(site)
const { answer, undo } = answerTools(site)

test('each owner has their own draft, and an empty draft is deleted', async () => {
  const reference = await submit()
  const save = (who: string, text: string, base: string | null) =>
    saveDraft(site.inboxDeps, { reference, who, version: 0, text, base })
  await save(anna, 'Hello A', null)
  await save(bob, 'Hello B', null)
  await save(anna, 'Hello Ada', 'Hello A')
  await save(bob, ' \n', 'Hello B')

  expect(await drafts()).toEqual([{ owner: anna, text: 'Hello Ada' }])
})

test('what an owner writes on two devices is never lost', async () => {
  const reference = await submit()
  const save = (text: string, base: string | null) =>
    saveDraft(site.inboxDeps, { reference, who: anna, version: 0, text, base })
  await save('From the phone', null)

  for (const text of ['From the laptop', ''])
    await expect(save(text, null)).rejects.toMatchObject({
      code: 'conflict',
      current: { state: 'open', version: 0 },
      draft: 'From the phone',
    })
  expect(await drafts()).toEqual([{ owner: anna, text: 'From the phone' }])
  await save('From the phone', null)
  const both = 'From the laptop\n\nFrom the phone'
  await save(both, 'From the phone')
  expect(await drafts()).toEqual([{ owner: anna, text: both }])
})

test('of drafts that two devices save at the same time, one is stored and the other learns of it', async () => {
  const reference = await submit()
  const results = await Promise.allSettled(
    ['A', 'B'].map((text) =>
      saveDraft(site.inboxDeps, { reference, who: anna, version: 0, text, base: null }),
    ),
  )

  const [stored] = await drafts()
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(results.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { draft: stored?.text },
  })
})

test('a draft that was deleted on another device is stored again', async () => {
  const reference = await submit()
  await saveDraft(site.inboxDeps, { reference, who: anna, version: 0, text: 'Longer', base: 'Long' })

  expect(await drafts()).toEqual([{ owner: anna, text: 'Longer' }])
})

test('a draft that arrives after its answer does not come back', async () => {
  const reference = await submit()
  await answer(reference)
  const late = { reference, who: anna, version: 0, base: null, text: 'Yes' }

  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([])
  await undo(reference)
  await expect(saveDraft(site.inboxDeps, late)).rejects.toMatchObject({ code: 'conflict' })
  expect(await drafts()).toEqual([{ owner: anna, text: 'Yes, we can.' }])
})
