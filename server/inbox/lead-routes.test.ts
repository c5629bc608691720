import { beforeEach, expect, test } from 'vitest'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import { type OwnerBrowser, openBrowser, signIn } from '../proof/testing/owner-browser.ts'

const site = useTestApp({ sendsReceipts: true, mailTo: [anna] })
let routes: OwnerBrowser
beforeEach(async () => {
  routes = await signIn(site, openBrowser(site.app), anna)
  await site.db.deleteFrom('outbox').execute()
})

const { submit, read, history } = leadTools(site)
const key = '019c0000-0000-7000-8000-0000000000aa'
const at = '2026-03-05T19:00:00.000Z'

test('every change and action responds with the new state and version', async () => {
  const reference = await submit()
  const change = async (name: string, version: number, body: object = {}) => {
    const { status, body: result } = await routes.post(`/leads/${name}`, {
      leads: [{ reference, version }],
      ...body,
    })
    expect(result).toMatchObject({ changed: [{ reference }], left: [] })
    return [status, result.changed[0].state, result.changed[0].version]
  }
  const act = async (name: string, body: object = {}) => {
    const { status, body: result } = await routes.post(`/leads/${reference}/${name}`, body)
    return [status, result.state, result.version]
  }

  expect(await change('follow-up', 0, { at, note: ' No answer. ' })).toEqual([200, 'open', 1])
  expect(await change('result', 1, { result: 'lost' })).toEqual([200, 'answered', 2])
  expect(await change('state', 2, { state: 'spam' })).toEqual([200, 'spam', 3])
  // These are no changes that an undo would undo.
  expect(await act('notes', { text: ' Call her. ', key })).toEqual([200, 'spam', 3])
  expect(await act('seen', { upTo: 0 })).toEqual([200, 'spam', 3])
  expect(await change('undo', 3)).toEqual([200, 'answered', 4])
  const [first, , , note, , undone] = await history(reference)
  expect([first, note]).toMatchObject([{ text: 'No answer.' }, { text: 'Call her.' }])
  expect(undone).toMatchObject({ who: anna, from_value: 'spam', to_value: 'answered' })
  expect(await act(`notes/${key}/undo`)).toEqual([200, 'answered', 4])
  // A new message has made it unread.
  await site.db.updateTable('leads').set({ seen_at: null }).execute()
  expect(await act('seen', { upTo: 0 })).toEqual([200, 'answered', 4])
  expect(await change('state', 4, { state: 'open' })).toEqual([200, 'open', 5])
  expect(await change('nothing-to-answer', 5)).toEqual([200, 'answered', 6])
  const what = (await history(reference)).map(({ what }) => what)
  const later = ['state', 'nothing_to_answer']
  expect(what).toEqual(['follow_up', 'result', 'verdict', 'seen', 'undone', ...later])
})

const changes = ['state', 'result', 'nothing-to-answer', 'follow-up', 'undo']
testOnce.each(changes)('the route for "%s" rejects invalid bodies with an explanation', async (name) => {
  const reference = await submit()
  const valid = { state: 'answered', result: 'won', at, leads: [{ reference, version: 0 }] }
  const bad: object[] = ['x', -1, 0.5, 1e300].map((version) => ({ leads: [{ reference, version }] }))
  bad.push({ leads: [Object.assign([], { version: 0 })] }, { leads: [{ version: 0 }] })
  if (name === 'state') {
    bad.push({ state: 'done' }, { state: undefined, constructor: { prototype: { state: 'answered' } } })
    const answered = { at: 'x', by: 'phone' }
    bad.push({ answered }, { answered: { at, by: 'fax' } }, { answered: { at, by: 'email', note: ' ' } })
  }
  if (name === 'result') bad.push({ result: 'done' })
  if (name === 'follow-up') bad.push({ at: '2026-02-30T12:00:00Z' }, { at: '2026-03-05' }, { note: ' ' })

  for (const fields of bad) {
    const { status, body } = await routes.post(`/leads/${name}`, { ...valid, ...fields })
    expect([status, fields]).toEqual([400, fields])
    expect(body.detail).toMatch(/^[A-Z].*\.$/)
  }
  expect(await read(reference)).toMatchObject({ version: 0 })
  expect(await history(reference)).toEqual([])
})

const undos = ['answers', 'notes'].map((name) => `${name}/${key}/undo`)
const known = ['notes', 'answers', 'seen', 'erase']
const badBodies = [
  ...[{}, { version: 'x' }, { text: 1 }, { text: '' }, { text: ' \u0000\n ' }, { email: null }],
  ...[-1, 0.5, 1e300].map((version) => ({ upTo: version, version })),
  ...[
    { text: 'x', key: 'x', base: null, version: 0 },
    { text: 'x'.repeat(20_001), key, base: null, version: 0 },
  ],
  ...[
    '',
    'tom',
    'tom@x.example, eve@x.example',
    'Tom <tom@x.example',
    'tom@x.example\nBcc: eve@x.example',
  ].map((to) => ({ text: 'x', key, base: null, version: 0, to })),
  Object.assign([], { version: 0 }),
] as Record<string, unknown>[]

testOnce.each(known)('the route for "%s" rejects invalid bodies with an explanation', async (name) => {
  const reference = await submit()
  for (const bad of badBodies.filter((body) => name !== 'notes' || !('to' in body))) {
    const { status, body } = await routes.post(`/leads/${reference}/${name}`, bad)
    expect([status, bad]).toEqual([400, bad])
    expect(body.detail).toMatch(/^[A-Z].*\.$/)
  }
  expect(await read(reference)).toMatchObject({ version: 0 })
  expect(await history(reference)).toEqual([])
})

test.each(['Q-0000-0000', '%F0%9F%98%80', "'%20or%201=1--"])(
  'for the unknown reference %s, every action is rejected with 404 and an explanation',
  async (reference) => {
    const body = { text: 'x', key, base: null, version: 0, email: 'a@b.example', upTo: 0 }
    for (const name of [...known, 'answers/x/undo', 'notes/x/undo', ...undos]) {
      const response = await routes.post(`/leads/${reference}/${name}`, body)
      expect([name, response.status]).toEqual([name, 404])
      expect(response.body.detail).toMatch(/\.$/)
    }
  },
)

test('a resend immediately retries waiting posts and failed emails, but does not send answers that can still be undone', async () => {
  const [notice, answered] = [await submit(), await submit()]
  await site.db.deleteFrom('outbox').where('kind', '<>', 'owner_notice').execute()
  const change = async (reference: string, values: object) =>
    site.db
      .updateTable('outbox')
      .set(values)
      .where('lead_id', '=', (await read(reference)).id)
      .execute()
  await change(notice, { kind: 'webhook', attempts: 3, due_at: '2026-03-02T17:00:00.000Z' })
  await change(answered, { state: 'failed' })
  await routes.post(`/leads/${answered}/answers`, { text: 'Yes', key, base: null, version: 0 })

  const { body } = await routes.post('/mail/resend')

  expect(body).toEqual({ resent: 2 })
  const [now, later] = [site.clock.now.toISOString(), '2026-03-02T15:00:15.000Z']
  const emails = await site.db.selectFrom('outbox').select(['state', 'due_at']).orderBy('id').execute()
  expect(emails).toEqual([now, now, later, later].map((due_at) => ({ state: 'queued', due_at })))
  expect((await routes.post(`/leads/${answered}/answers/${key}/undo`)).status).toBe(200)
})
