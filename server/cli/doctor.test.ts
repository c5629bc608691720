import { expect, test, vi } from 'vitest'
import { diagnose } from '../doctor/diagnose.ts'
import { runInThisProcess } from '../proof/testing/run-program.ts'

vi.mock('../doctor/diagnose.ts')

test.each([
  [0, ['ok']],
  [0, ['ok', 'warning']],
  [1, ['warning', 'problem', 'ok']],
] as const)('doctor exits with %i if it finds %j', async (code, states) => {
  vi.mocked(diagnose).mockResolvedValue(
    states.map((state) => ({ check: 'disk', state, seen: '1 MB is free.', advice: '' })),
  )

  expect(await runInThisProcess('doctor', [], {})).toMatchObject({ code })
  expect(await runInThisProcess('doctor', ['--json'], {})).toMatchObject({ code })
})
