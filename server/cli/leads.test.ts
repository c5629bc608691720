import { expect } from 'vitest'
import { testOnce, useTestApp } from '../proof/testing/build-test-app.ts'
import { leadCommands } from '../proof/testing/run-program.ts'

const site = useTestApp()

const { run } = leadCommands(() => site)

testOnce.each([
  ['an unknown reference', 3, ['show', 'Q-0000-0000'], /There is no lead Q-0000-0000/],
  ['an invalid number', 2, ['list', '-n', 'many'], /Expected a whole number/],
  ['an invalid day', 2, ['list', '--since', '2026-02-30'], /Expected a day such as/],
  ['a limit of 0', 2, ['list', '--limit', '0'], /^error: .* Expected .*\.\n$/],
  ['an invalid address', 2, ['erase', 'nobody'], /^error: .* Expected .*\.\n$/],
])('given %s, a command prints an error and exits with %i', async (_name, exitCode, args, message) => {
  const { code, stderr } = await run(args)

  expect([code, stderr]).toEqual([exitCode, expect.stringMatching(message)])
})
