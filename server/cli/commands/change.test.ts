import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { hours } from '#facts/hours.ts'
import { english } from '#shared/computed-facts.ts'
import { officeTime } from '#shared/office-time.ts'
import { takeBackup } from '../../backup/take-backup.ts'
import { answerLead } from '../../leads/answers/answer-lead.ts'
import { noteLead } from '../../leads/change/change-lead.ts'
import { followUp, markResult } from '../../leads/change/mark-lead.ts'
import { backupsExpireAt } from '../../leads/erase/erasures.ts'
import { useTestApp } from '../../proof/testing/build-test-app.ts'
import { anna, answerTools } from '../../proof/testing/leads.ts'
import { mailboxTools } from '../../proof/testing/mailbox.ts'
import { claimEmail, deliverToFiles } from '../../proof/testing/outbox.ts'
import { readXlsx } from '../../proof/testing/read-xlsx.ts'
import { leadCommands } from '../../proof/testing/run-program.ts'

const site = useTestApp()
const { submit, run } = leadCommands(() => site)

test.each(['bo@work.example', 'böb@exämple.example', '\u202aböb@exämple.example\u202c'])(
  'erase removes the messages of %s, who has only replied, and says so',
  async (address) => {
    const { takeIn, answered } = mailboxTools(site)
    const { answers, reference } = await answered()
    await takeIn({ answers, from: address.replace(/[\u202a\u202c]/g, ''), text: 'Xylophone' })

    const { stdout } = await run(['erase', address, '--yes'])

    expect(stdout).toMatch(/^Erased: 0 leads\n +1 message about the leads of others\n +1 email and /)
    const { stdout: left } = await run(['show', reference, '--json'])
    expect(left).not.toMatch(/xylophone|@work|exämple/i)
  },
)

test('erase requires confirmation, then removes a person from the database and the mail folder, and says until when backups have the person', async () => {
  await submit({ email: 'eve@example.com' })
  await submit({ message: 'from Ada' })
  await deliverToFiles(site)
  const { path } = await takeBackup(site.env, new Date())

  const unconfirmed = await run(['erase', 'eve@example.com'])
  expect([unconfirmed.code, unconfirmed.stderr]).toEqual([2, expect.stringContaining('Add --yes')])
  const { code, stdout } = await run(['erase', 'Eve <EVE@example.com>', '--yes'])

  const until = backupsExpireAt(new Date()).toLocaleDateString(english, { dateStyle: 'long' })
  expect(code).toBe(0)
  expect(stdout).toMatch(
    /^Erased: 1 lead \(Q-.*\)\n +1 email and their delivery log\n +2 files in the mail folder\n/,
  )
  expect(stdout).toContain(
    `Backups can contain the person until ${until}. A restore erases the person again.`,
  )
  expect(existsSync(path)).toBe(true)
  expect((await run(['list', '--json'])).stdout).not.toContain('eve@')
})

test.each([
  'eve@example.com,',
  'mailto:eve@example.com',
  '"eve@example.com"',
  'Email: eve@example.com',
  '\u202aeve@example.com\u202c',
])('erase finds the address in %j; if it finds nobody, it exits with 3', async (typed) => {
  await submit({ email: 'eve@example.com' })

  expect((await run(['erase', typed, '--yes'])).code).toBe(0)

  expect(await site.db.selectFrom('leads').select('id').execute()).toEqual([])
  expect((await run(['erase', typed, '--yes'])).code).toBe(3)
})

test.each([
  ['not yet', 3, 1],
  ['Yes', 0, 0],
])(
  'if the answer to the question whether to erase is "%s", erase exits with %i, and leads are left: %i',
  async (answer, code, left) => {
    await submit()
    const stdin = Object.assign(Readable.from([`${answer}\n`]), { isTTY: true })
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(stdin as never)

    expect((await run(['erase', 'ada@example.com'])).code).toBe(code)

    expect(await site.db.selectFrom('leads').select('id').execute()).toHaveLength(left)
  },
)

test('erase exits with 1, and names the databases of restores that it could not change', async () => {
  await submit({ email: 'eve@example.com' })
  writeFileSync(join(site.dataDir, 'leads-before-restore-1.db'), 'damaged')

  const { code, stdout } = await run(['erase', 'eve@example.com', '--yes'])
  expect([code, stdout]).toEqual([1, expect.stringContaining('address: leads-before-restore-1.db.')])
})

test('resend requeues only the given lead; resend --failed requeues every failed notice, or says that there are none', async () => {
  const states = async () => {
    const mails = await site.db.selectFrom('outbox').select('state').orderBy('id').execute()
    return mails.map(({ state }) => state)
  }
  await submit({ message: '1' })
  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  const { reference } = await submit({ message: '2' })
  await site.db.updateTable('outbox').set({ state: 'sent' }).where('id', '=', 2).execute()

  await run(['resend', reference])
  expect(await states()).toEqual(['failed', 'queued'])

  await site.db.updateTable('outbox').set({ state: 'failed' }).execute()
  await run(['resend', reference, '--failed'])
  expect(await states()).toEqual(['failed', 'queued'])

  expect((await run(['resend', '--failed'])).stdout).toMatch(/^1 message is back/)
  expect(await states()).toEqual(['queued', 'queued'])
  await site.db.updateTable('outbox').set({ state: 'sent' }).execute()
  for (const lead of [[], [reference]]) {
    const again = await run(['resend', ...lead, '--failed'])
    expect([again.code, again.stderr]).toEqual([3, 'There are no failed messages.\n'])
  }
  expect(await states()).toEqual(['sent', 'sent'])
  await site.db.updateTable('outbox').set({ state: 'sending' }).execute()
  const tooEarly = await run(['resend', reference])
  expect([tooEarly.code, tooEarly.stderr]).toEqual([3, expect.stringContaining('being sent right now')])
})

test('export creates a private file that is safe in a spreadsheet, and never overwrites a file', async () => {
  await submit({ firstName: '=1+1', lastName: 'Müller' })
  const file = join(site.dataDir, 'leads.xlsx')

  const first = await run(['export', '--output', file])
  const second = await run(['export', '--output', file])

  const [head, row] = readXlsx(readFileSync(file))
  expect(head?.slice(0, 3)).toEqual([`Received (${hours.timeZone})`, 'Reference', 'First name'])
  expect(row?.[0]).toBe(officeTime('2026-03-02T15:00Z'))
  expect(row?.slice(2, 6)).toEqual(['=1+1', 'Müller', 'ada@example.com', '(312) 555-0199'])
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(first.stderr).toBe(`1 lead exported to ${file}.\n`)
  expect([second.code, second.stderr]).toEqual([1, expect.stringContaining('already exists')])
  // A partial file would look complete.
  await site.db.schema.alterTable('lead_events').renameTo('gone').execute()
  expect(await run(['export', '--output', `${file}.part`])).toMatchObject({ code: 1 })
  expect(existsSync(`${file}.part`)).toBe(false)
})

test('export --json writes all stored data unchanged', async () => {
  await submit({ message: '1' })
  await submit({ message: '=a\tb\n"c" \u0085\u202e' })
  const later = { smtpCode: 421, response: 'later' }
  await site.outbox.record(await claimEmail(site), site.clock.now, 'retry', later, 1)

  const { reference } = await submit({ message: '2' })
  const who = 'owner@agency.example'
  await markResult(site.inboxDeps, { reference, version: 0, who, result: 'won' })

  const leads = JSON.parse((await run(['export', '--json'])).stdout)

  const stored = await site.db.selectFrom('leads').selectAll().orderBy('id', 'desc').execute()
  const parsed = stored.map(({ list: _, sort_key: __, client: ___, form_token: ____, ...row }) => ({
    ...row,
    spam_reasons: JSON.parse(row.spam_reasons),
    source: JSON.parse(row.source),
  }))
  expect(leads).toMatchObject(parsed)
  const at = site.clock.now.toISOString()
  // Finds leads by message, because ids from the same millisecond are in random order.
  const leadOf = (message: string) => leads.find((lead: { message: string }) => lead.message === message)
  expect(leadOf('2').events).toEqual([
    {
      at,
      who,
      what: 'result',
      from_value: null,
      to_value: 'won',
      text: null,
      recipient: null,
      isNewEmail: false,
      files: [],
    },
  ])
  expect(leadOf('1').emails[0].log).toMatchObject([
    { at, outcome: 'retry', smtp_code: 421, response: 'later' },
  ])
  expect((await run(['export', '--json', 'nowhere'])).stdout).toBe('[]\n')
})

test('mark changes the state or the result, and fails if the lead is already so', async () => {
  const { reference } = await submit()

  expect(await run(['mark', `\u2068${reference.toLowerCase()}\u2069`, 'won'])).toMatchObject({
    code: 0,
    stdout: `${reference} is marked as won.\n`,
  })
  expect(await run(['mark', reference, 'won'])).toMatchObject({
    code: 3,
    stderr: 'This lead is already marked as won.\n',
  })
  expect((await run(['list'])).stdout).toMatch(/ answered, won +/)
  expect((await run(['mark', reference, 'open'])).stdout).toBe(`${reference} is marked as open.\n`)
  expect((await run(['show', reference])).stdout).toMatch(/State +open, won; reply promised by/)
  expect((await run(['mark', reference, 'undecided'])).stdout).toBe(`${reference} is marked as undecided.\n`)
  expect((await run(['show', reference])).stdout).toMatch(/State +open; reply promised by/)
  expect(await run(['mark', reference, 'solved'])).toMatchObject({ code: 2 })
  await run(['mark', reference, 'spam'])
  expect((await run(['show', reference])).stdout).toMatch(/^Spam +yes, score /m)
})

test('show prints messages with the names of their files, results, and follow-ups with their notes', async () => {
  const { takeIn, answered } = mailboxTools(site)
  const { reference, answers } = await answered()
  const { answer, attach } = answerTools(site)
  await answer(reference, {
    key: randomUUID(),
    files: [await attach(reference, 'offer.pdf', Buffer.alloc(9_000))],
  })
  await takeIn({ answers, text: 'When?\nAda', attachments: ['plan\u202e.pdf (1 kB)'] })
  const at = '2026-03-05T19:00:00.000Z'
  await followUp(site.inboxDeps, { reference, version: 3, who: anna, at, note: 'No answer.' })

  const { stdout } = await run(['show', reference])
  const until = officeTime(at).slice(0, 16)
  expect(stdout).toMatch(/ anna@agency.example: answered\n +Yes, we can\.\n +File: offer.pdf \(9 kB\)\n/)
  expect(stdout).toMatch(/ ada@example.com: wrote again\n +When\?\n +Ada\n +File: plan .pdf \(1 kB\)\n/)
  expect(stdout).toMatch(new RegExp(` ${anna}: set a follow-up for ${until}\n +No answer\\.\n`))
  expect(stdout).toMatch(new RegExp(`State +open, follow up ${until};`))
  await run(['mark', reference, 'lost'])
  expect((await run(['show', reference])).stdout).toMatch(/ shell: marked it as lost\n/)
})

test('show prints the state and the history, without characters that could control the terminal', async () => {
  const { reference } = await submit({ message: 'A \u202eroof' })
  const [key, other] = ['019c0000-0000-7000-8000-0000000000aa', '019c0000-0000-7000-8000-0000000000ab']
  await noteLead(site.inboxDeps, { reference, who: 'shell', text: 'Call \u202eher\nafter 5', key: other })
  await answerLead(site.inboxDeps, { reference, who: anna, version: 0, key, base: null, text: 'Yes' })

  const { stdout } = await run(['show', reference])

  expect(stdout).toMatch(new RegExp(`State +answered; answered ${officeTime('2026-03-02T15:00Z')}\n`))
  expect(stdout).toContain('Message\n  A  roof\n')
  expect(stdout).toMatch(/History\n.* shell: wrote a note\n +Call {2}her\n +after 5\n/)
  expect(stdout).toMatch(/ anna@agency.example: answered\n +Yes\n/)
  expect(stdout).toContain(
    `answer to ada@example.com: waiting, next attempt ${officeTime('2026-03-02T15:00:15Z')}`,
  )
})

test.each([
  ['answer', 'failed', 'given up; the lead is open again'],
  ['visitor_receipt', 'failed', 'not sent'],
  ['owner_notice', 'listed', 'not sent separately; a list of requests names this one'],
  ['owner_notice', 'sending', 'being sent'],
] as const)('show says of an email of the kind %s that is %s: "%s"', async (kind, state, words) => {
  const { reference } = await submit()
  await site.db.updateTable('outbox').set({ kind, state }).execute()

  expect((await run(['show', reference])).stdout).toMatch(new RegExp(`  now .*: ${words}\n$`))
})

test('show prints what a mail server replied, without characters that could control the terminal', async () => {
  const { reference } = await submit()
  const { id } = await site.db.selectFrom('outbox').select('id').executeTakeFirstOrThrow()
  const refusal = {
    smtp_code: 550,
    outbox_id: id,
    at: '2026-03-02T15:00:00.000Z',
    outcome: 'failed' as const,
    response: '550 \u001b[2JNo',
  }
  await site.db.insertInto('outbox_attempts').values(refusal).execute()

  expect((await run(['show', reference])).stdout).toMatch(/: given up\n +550 {2}\[2JNo\n/)
})

test.each([
  ['an unknown reference', 3, ['show', 'Q-0000-0000'], /There is no lead Q-0000-0000/],
  ['an invalid number', 2, ['list', '-n', 'many'], /Expected a whole number/],
  ['an invalid day', 2, ['list', '--since', '2026-02-30'], /Expected a day such as/],
  ['a limit of 0', 2, ['list', '--limit', '0'], /^error: .* Expected .*\.\n$/],
  ['an invalid address', 2, ['erase', 'nobody'], /^error: .* Expected .*\.\n$/],
])('given %s, a command prints an error and exits with %i', async (_name, exitCode, args, message) => {
  const { code, stderr } = await run(args)

  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)])
})
