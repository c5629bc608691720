import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { vi } from 'vitest'
import type { buildTestApp } from './build-test-app.ts'
import { sampleRequest } from './sample-request.ts'

type Result = { code: number; stdout: string; stderr: string }

/** Submits leads to the test's site and runs `leads` commands on its data. */
export function leadCommands(site: () => Awaited<ReturnType<typeof buildTestApp>>) {
  // Each command runs in its own process.
  vi.setConfig({ testTimeout: 30_000 })
  return {
    submit: (changes = {}) =>
      site().submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null }),
    run: (args: string[], env: Record<string, string> = site().env): Promise<Result> =>
      promisify(execFile)(process.execPath, ['server/cli/leads.ts', ...args], { env }).then(
        (output) => ({ code: 0, ...output }),
        (error: Result) => error,
      ),
  }
}
