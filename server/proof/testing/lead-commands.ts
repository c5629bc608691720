import type { buildTestApp } from './build-test-app.ts'
import { runInChildProcess, runInThisProcess } from './run-program.ts'
import { sampleRequest } from './sample-request.ts'

/** Submits leads to the test's site and runs `leads` commands on its data, in this process or in another. */
export function leadCommands(site: () => Awaited<ReturnType<typeof buildTestApp>>) {
  return {
    submit: (changes = {}) =>
      site().submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null }),
    run: (args: string[], env: Record<string, string> = site().env) => runInThisProcess('leads', args, env),
    runInChildProcess: (args: string[], env: Record<string, string> = site().env) =>
      runInChildProcess('leads', args, env),
  }
}
