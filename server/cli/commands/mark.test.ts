import { expect, test } from 'vitest'
import { answerLead } from '../../inbox/leads/answer-lead.ts'
import { followUp, noteLead } from '../../inbox/leads/change-lead.ts'
import { officeTime } from '../../leads/office-time.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../../proof/testing/leads.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()
const { run } = leadCommands(() => site)
const { submit, suspect, read } = leadTools(site)

test('mark changes the state, and fails if the lead is already in that state', async () => {
  const reference = await submit()

  expect(await run(['mark', reference.toLowerCase(), 'won'])).toMatchObject({
    code: 0,
    stdout: `${reference} is marked as won.\n`,
  })
  expect(await run(['mark', reference, 'won'])).toMatchObject({
    code: 3,
    stderr: 'This lead is already marked as won.\n',
  })
  expect((await run(['mark', reference, 'lost'])).stdout).toBe(`${reference} is marked as lost.\n`)
})

test.each([
  [3, ['mark', 'Q-0000-0000', 'won'], /^There is no lead Q-0000-0000/],
  [2, ['mark', 'Q-0000-0000', 'done'], /Allowed choices are open, answered, won, lost, spam/],
  [2, ['mark', 'Q-0000-0000'], /missing required argument 'state'/],
  [2, ['list', '--view', 'closed'], /Allowed choices are open, waiting, suspects/],
])('the exit code is %i after %j', async (exitCode, args, message) => {
  await submit()
  const { code, stderr } = await run(args)

  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)])
})

test('show prints the state and the history, without characters that could control the terminal', async () => {
  const reference = await submit()
  const note = {
    reference,
    who: 'shell',
    text: 'Call \u202eher\nafter 5',
    key: '019c0000-0000-7000-8000-0000000000ab',
  }
  await noteLead(site.inboxDeps, note)
  const [key, text] = ['019c0000-0000-7000-8000-0000000000aa', 'Yes']
  await answerLead(site.inboxDeps, { reference, who: anna, version: 0, key, base: null, text })

  const { stdout } = await run(['show', reference])

  expect(stdout).toMatch(new RegExp(`State +answered; answered ${officeTime('2026-03-02T15:00Z')}\n`))
  expect(stdout).toMatch(/History\n.* shell: wrote a note\n +Call {2}her\n +after 5\n/)
  expect(stdout).toMatch(/ anna@agency.example: answered\n +Yes\n/)
  expect(stdout).toContain(
    `answer to ada@example.com: waiting, next attempt ${officeTime('2026-03-02T15:00:15Z')}`,
  )
})

test('show describes the history in the past tense', async () => {
  const reference = await submit()
  await followUp(site.inboxDeps, { reference, version: 0, who: anna, on: '2026-03-05' })
  await followUp(site.inboxDeps, { reference, version: 1, who: anna, on: null })
  for (const state of ['won', 'open', 'spam', 'open']) await run(['mark', reference, state])

  const { stdout } = await run(['show', reference])

  expect(stdout.match(/(anna@\S+|shell): .*/g)).toEqual([
    'anna@agency.example: set a follow-up for 2026-03-05',
    'anna@agency.example: removed the follow-up',
    'shell: marked it as won',
    'shell: reopened it',
    'shell: marked it as spam',
    'shell: marked it as not spam',
  ])
})

test('list shows the state, and --view lists the same leads as the inbox', async () => {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  const [open, waiting, suspected, won] = [await submit(), await submit(), await submit(), await submit()]
  site.clock.now = new Date()
  await followUp(site.inboxDeps, { reference: waiting, version: 0, who: anna, on: day(5) })
  await suspect(suspected)
  await run(['mark', won, 'won'])
  const listed = async (view: string) =>
    JSON.parse((await run(['list', '--view', view, '--json'])).stdout).map(
      ({ reference }: { reference: string }) => reference,
    )

  expect(await listed('open')).toEqual([open])
  expect(await listed('waiting')).toEqual([waiting])
  expect(await listed('suspects')).toEqual([suspected])
  expect(await listed('won')).toEqual([won])
  expect(await listed('all')).toHaveLength(4)
  const { stdout } = await run(['list'])
  for (const state of ['open', `open, follow up on ${day(5)}`, 'suspect', 'won'])
    expect(stdout).toContain(`  ${state}  `)
})

test('export includes the state, the source and the time of the answer', async () => {
  const reference = await submit()
  await run(['mark', reference, 'answered'])
  const { answered_at } = await read(reference)

  const { stdout } = await run(['export', '--json'])

  expect(JSON.parse(stdout)).toMatchObject([{ state: 'answered', source: {}, answered_at }])
})
