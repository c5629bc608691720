import { expect, test } from 'vitest'
import { officeTime } from '../../leads/office-time.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { claimEmail, deliverToFiles } from '../../proof/testing/outbox.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()

const { submit, run } = leadCommands(() => site)

test('show prints the complete lead and every email attempt', async () => {
  const { reference } = await submit({ message: 'Line 1\nLine 2' })
  const reply = { smtpCode: 550, response: '550 no such user' }
  await site.outbox.record(await claimEmail(site), site.clock.now, 'failed', reply)

  const { stdout } = await run(['show', reference.toLowerCase()])

  expect(stdout).toContain('  Line 1\n  Line 2\n')
  expect(stdout).toContain(`Delivery log
  ${officeTime('2026-03-02T15:00Z')}  received and saved
  ${officeTime('2026-03-02T15:00Z')}  notice to owner@agency.example: given up
                       550 no such user
  now                  notice to owner@agency.example: given up; `)
})

test('a notice that was only written to an .eml file does not count as delivered', async () => {
  const { reference } = await submit()
  await deliverToFiles(site)

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/ open {3}file {2}Ada /)
  expect(show).toContain('notice to owner@agency.example: only written to a file')
  expect(show).toContain(
    'notice to owner@agency.example: only written to an .eml file, because SMTP_URL was not set',
  )
  expect(list + show).not.toMatch(/delivered|accepted/)
})
