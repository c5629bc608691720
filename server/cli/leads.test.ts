import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildTestApp } from '../testing/build-test-app.ts'
import { sampleRequest } from '../testing/sample-request.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const submit = (changes = {}) =>
  site.submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null })
const run = (args: string[], dataDir = site.dataDir) =>
  promisify(execFile)(process.execPath, ['server/cli/leads.ts', ...args], {
    env: { DATA_DIR: dataDir },
  }).catch((error: { code: number; stdout: string; stderr: string }) => error)

test('list shows the newest lead first, beside an open database', async () => {
  await submit({ firstName: 'Ada', message: '1' })
  await submit({ firstName: 'Grace', message: '2' })

  const { stdout } = await run(['list'])

  expect(stdout).toMatch(/^RECEIVED .*\n.*waiting +Grace Lovelace.*\n.*waiting +Ada Lovelace/)
})

test('show has the whole lead and every attempt to mail it', async () => {
  const { reference } = await submit({ message: 'Line 1\nLine 2' })
  const job = await site.outbox.claimNext(site.clock.now)
  if (job)
    await site.outbox.recordFailed(job, site.clock.now, { smtpCode: 550, response: '550 no such user' })

  const { stdout } = await run(['show', reference.toLowerCase()])

  expect(stdout).toContain('  Line 1\n  Line 2\n')
  expect(stdout).toContain(`Flight record
  2026-03-02 10:00:00  received, and on disk before the visitor was thanked
  2026-03-02 10:00:00  mail to owner@plumbline.example: given up
                       550 no such user
  now                  mail to owner@plumbline.example: given up; `)
})

test('a suspect is marked in the list, and shown with its reasons', async () => {
  const clues = { isTrapFilled: true, formAgeMs: 100 }
  const { reference } = await site.submitLead(sampleRequest(), { client: 'c', idempotencyKey: null, clues })
  await submit({ message: 'honest' })

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/waiting {2}Ada .*honest\n.*waiting {2}\[Suspect\] Ada /)
  expect(show).toContain('Spam       suspect, score 10\n           A field that people cannot see was filled')
})

test('--json is lossless', async () => {
  await submit({ message: 'a\tb\n"c"' })

  const { stdout } = await run(['list', '--json'])

  expect(JSON.parse(stdout)).toMatchObject([{ message: 'a\tb\n"c"', delivery: 'waiting' }])
})

test('text that got into the database cannot steer the terminal', async () => {
  const { reference } = await submit()
  await site.db.updateTable('leads').set({ company: '\u001b[2Jgone' }).execute()

  expect((await run(['show', reference])).stdout).toContain('Company     [2Jgone')
})

test.each([
  ['an unknown reference', 3, ['show', 'Q-0000-0000'], /There is no lead Q-0000-0000/],
  ['a number that is none', 2, ['list', '-n', 'many'], /Expected a whole number/],
  ['a day that is none', 2, ['list', '--since', '2026-02-30'], /Expected a day such as/],
])('%s is an error in words, with exit code %i', async (_name, exitCode, args, message) => {
  const { code, stderr } = (await run(args)) as { code: number; stderr: string }

  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)])
})

test('a folder without a database is not made into one', async () => {
  const { stderr } = await run(['list'], `${site.dataDir}/elsewhere`)

  expect(stderr).toContain('There are no leads yet')
})
