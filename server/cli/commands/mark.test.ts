import { expect, test } from 'vitest'
import { answerLead } from '../../inbox/leads/answer-lead.ts'
import { noteLead } from '../../inbox/leads/change-lead.ts'
import { officeTime } from '../../leads/office-time.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../../proof/testing/leads.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()
const { run } = leadCommands(() => site)
const { submit } = leadTools(site)

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

test('show prints the state and the history, without characters that could control the terminal', async () => {
  const reference = await submit()
  const [key, other] = ['019c0000-0000-7000-8000-0000000000aa', '019c0000-0000-7000-8000-0000000000ab']
  await noteLead(site.inboxDeps, { reference, who: 'shell', text: 'Call \u202eher\nafter 5', key: other })
  await answerLead(site.inboxDeps, { reference, who: anna, version: 0, key, base: null, text: 'Yes' })

  const { stdout } = await run(['show', reference])

  expect(stdout).toMatch(new RegExp(`State +answered; answered ${officeTime('2026-03-02T15:00Z')}\n`))
  expect(stdout).toMatch(/History\n.* shell: wrote a note\n +Call {2}her\n +after 5\n/)
  expect(stdout).toMatch(/ anna@agency.example: answered\n +Yes\n/)
  expect(stdout).toContain(
    `answer to ada@example.com: waiting, next attempt ${officeTime('2026-03-02T15:00:15Z')}`,
  )
})
