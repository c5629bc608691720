import { expect, test } from 'vitest'
import { describeStartError } from './start-error.ts'

test('the exit code of a failed process is a number, and its error is shown', () => {
  const error = Object.assign(new Error('Command failed'), { code: 1 })

  expect(describeStartError(error)).toContain('Command failed')
})
