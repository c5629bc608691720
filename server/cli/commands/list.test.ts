import { afterEach, beforeEach, expect, test } from 'vitest'
import { bounceReceipt } from '../../proof/testing/bounce-receipt.ts'
import { buildTestApp } from '../../proof/testing/build-test-app.ts'
import { leadCommands } from '../../proof/testing/lead-commands.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'

let site: Awaited<ReturnType<typeof buildTestApp>>
beforeEach(async () => {
  site = await buildTestApp()
})
afterEach(() => site[Symbol.asyncDispose]())

const { submit, run, runInChildProcess } = leadCommands(() => site)

test('list shows the newest lead first, even while the server has the database open', async () => {
  await submit({ firstName: 'Ada', message: '1' })
  await submit({ firstName: 'Grace', message: '2' })

  const { stdout } = await runInChildProcess(['list'])

  expect(stdout).toMatch(/^RECEIVED .*\n.*waiting +Grace Lovelace.*\n.*waiting +Ada Lovelace/)
})

test('list marks a bounced receipt, and show says to call instead', async () => {
  await using other = await buildTestApp({ sendsReceipts: true })
  const reference = await bounceReceipt(other)

  const list = (await run(['list'], other.env)).stdout
  const bounced = (await run(['list', '--state', 'bounced'], other.env)).stdout
  const show = (await run(['show', reference], other.env)).stdout

  expect(list).toMatch(
    / delivered, bounced {2}Ada [\s\S]*\nbounced: .*The address is probably wrong: call instead\.\n$/,
  )
  expect(bounced).toBe(list)
  expect(show).toMatch(/Email {6}ada@example.com\n {11}The receipt bounced: this address .* Call instead\.\n/)
})

test('list marks suspected spam, and show prints the reasons', async () => {
  const clues = { isHoneypotFilled: true, formAgeMs: 100 }
  const { reference } = await site.submitLead(sampleRequest(), { client: 'c', idempotencyKey: null, clues })
  await submit({ message: 'honest' })

  const list = (await run(['list'])).stdout
  const show = (await run(['show', reference])).stdout

  expect(list).toMatch(/waiting {2}Ada .*honest\n.*waiting {2}\[Suspect\] Ada /)
  expect(show).toContain('Spam       suspect, score 10\n           A field that people cannot see was filled')
})

test('list --json prints stored text unchanged', async () => {
  await submit({ message: 'a\tb\n"c"' })

  const { stdout } = await run(['list', '--json'])

  expect(JSON.parse(stdout)).toMatchObject([{ message: 'a\tb\n"c"', delivery: 'waiting' }])
})

test('list filters by words, by suspected spam and by day', async () => {
  site.clock.now = new Date()
  const suspect = { client: 'c', idempotencyKey: null, clues: { isHoneypotFilled: true, formAgeMs: 100 } }
  await submit({ message: 'a new roof' })
  await site.submitLead(sampleRequest({ message: 'a new roof, cheap' }), suspect)
  const list = async (...args: string[]) => {
    const { stdout } = await run(['list', '--json', ...args])
    return (JSON.parse(stdout) as { message: string }[]).map(({ message }) => message)
  }

  expect(await list('new', 'roof', '--since', 'yesterday')).toHaveLength(2)
  expect(await list('--search', 'new', 'roof', '--suspects')).toEqual(['a new roof, cheap'])
  expect(await list('--no-suspects')).toEqual(['a new roof'])
  expect((await run(['list', 'old', 'roof'])).stdout).toBe('No matching leads for "old roof".\n')
})
