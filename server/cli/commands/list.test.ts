import { expect, test } from 'vitest'
import { officeTime } from '#shared/office-time.ts'
import { buildTestApp, useTestApp } from '../../proof/testing/build-test-app.ts'
import { bounceReceipt, storeLeads } from '../../proof/testing/leads.ts'
import { claimEmail, deliverToFiles } from '../../proof/testing/outbox.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'

const site = useTestApp()
const { submit, run, runInChildProcess } = leadCommands(() => site)

const submitSuspect = (changes = {}) =>
  site.submitLead(sampleRequest(changes), { clues: { isHoneypotFilled: true, formAgeMs: 100 } })

test('list shows the newest lead first, even while the server has the database open, and says if there are more', async () => {
  expect((await run(['list'])).stdout).toBe('No leads yet.\n')
  await submit({ firstName: 'Ada', message: '1' })
  await submit({ firstName: 'Grace', message: '2' })
  expect((await run(['list', '--view', 'won'])).stdout).toBe('No matching leads.\n')

  const { stdout } = await runInChildProcess(['list'])

  expect(stdout).toMatch(/^RECEIVED .*\n.*waiting +Grace Lovelace.*\n.*waiting +Ada Lovelace.*\n$/)
  const one = JSON.parse((await run(['list', '--limit', '1', '--json'])).stdout)
  expect(one).toMatchObject([{ message: '2' }])
  await storeLeads(site.db, ...Array(19).fill({}))
  const { stdout: limited } = await run(['list'])
  expect(limited).toMatch(/^RECEIVED .*(?:\n.* Lovelace .*){20}\nThere are more\. .*--limit 100\n$/)
})

test('list marks a lead whose receipt bounced, and show advises calling instead of emailing', async () => {
  await using other = await buildTestApp({ sendsReceipts: true })
  const reference = await bounceReceipt(other)
  const at = '2026-03-02T16:00:00.000Z'
  await other.db.updateTable('outbox_attempts').set({ at }).where('outcome', '=', 'sent').execute()

  const list = (await run(['list'], other.env)).stdout
  const bounced = (await run(['list', '--mail', 'bounced'], other.env)).stdout
  const show = (await run(['show', reference], other.env)).stdout

  expect(list).toMatch(/ delivered, bounced {2}Ada /)
  expect(bounced).toBe(list)
  expect(show).toMatch(
    /Email {6}ada@example.com\n {11}The receipt bounced\. The address may be wrong: call instead\.\n/,
  )
  // In the order in which it happened.
  expect(show).toMatch(/receipt to [^\n]* given up.*notice to .* accepted by the mail server\n/s)
})

test('show prints a lead with a plan that the agency no longer has, a mistyped address, and a source', async () => {
  const { reference } = await submit()
  const budget = 'last-year' as never
  const changes = { budget, email: 'ada@gmial.com', source: '{"referrer":"news.example"}' }
  await site.db.updateTable('leads').set(changes).execute()

  const { stdout, stderr } = await run(['show', reference])

  expect(stderr).toBe('')
  expect(stdout).toMatch(/^Email +ada@gmial\.com\n .*gmail\.com/m)
  expect(stdout).toMatch(/^Budget +last-year\nSource +news\.example$/m)
})

test('list marks suspected spam, and show prints the reasons', async () => {
  const { reference } = await submitSuspect()
  await submit({ message: 'honest' })

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/waiting {2}Ada .*honest\n.*waiting {2}\[Suspect\] Ada /)
  expect(show).toContain('Spam       suspect, score 10\n           A field that people cannot see was filled')
})

test('list filters by words with all their letters, by suspected spam and by day', async () => {
  site.clock.now = new Date()
  await submit({ message: 'a new roof' })
  await submitSuspect({ message: 'a new roof, cheap' })
  const list = async (...args: string[]) => {
    const { stdout } = await run(['list', '--json', ...args])
    return (JSON.parse(stdout) as { message: string }[]).map(({ message }) => message)
  }

  expect(await list('new', 'roof', '--since', 'yesterday')).toHaveLength(2)
  expect(await list('new', 'roof', '--view', 'suspects')).toEqual(['a new roof, cheap'])
  expect(await list('--view', 'open')).toEqual(['a new roof'])
  expect(await list('lovlace')).toEqual([])
  const created_at = new Date(Date.now() - 2 * 60 * 60_000).toISOString()
  await site.db.updateTable('leads').set({ created_at }).execute()
  expect(await list('--since', '1h')).toEqual([])
  expect((await run(['list', 'old', 'roof'])).stdout).toBe('No matching leads for "old roof".\n')
})

test('show prints the complete lead and every email attempt', async () => {
  const { reference } = await submit({ message: 'Line 1\nLine 2' })
  const reply = { smtpCode: 550, response: '550 no such user' }
  await site.outbox.record(await claimEmail(site), site.clock.now, 'failed', reply)

  const { stdout } = await run(['show', reference.toLowerCase()])

  expect(stdout).toContain('Message\n  Line 1\n  Line 2\n\nDelivery log\n')
  expect(stdout).toContain(`Delivery log
  ${officeTime('2026-03-02T15:00Z')}  received and saved
  ${officeTime('2026-03-02T15:00Z')}  notice to owner@agency.example: given up
                       550 no such user
  now                  notice to owner@agency.example: given up; to resend it: leads resend ${reference} --failed`)
})

test('a notice that was only written to an .eml file does not count as delivered', async () => {
  const { reference } = await submit()
  await deliverToFiles(site)

  const show = (await run(['show', reference])).stdout
  expect((await run(['list', '--mail', 'file'])).stdout).toMatch(/ open {3}file {2}Ada /)
  expect(show).toContain('only written to an .eml file, because SMTP_URL was not set')
  expect(show).not.toMatch(/delivered|accepted/)
})
