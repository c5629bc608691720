import type { buildTestApp } from './build-test-app.ts'
import { runInChildProcess, runInThisProcess } from './run-program.ts'
import { sampleRequest } from './sample-request.ts'

/** Returns functions that submit leads to a test's site, and that run `leads` commands on its data. */
export function leadCommands(site: () => Awaited<ReturnType<typeof buildTestApp>>) {
  return {
    submit: (changes = {}) =>
      site().submitLead(sampleRequest(changes), { client: 'c', idempotencyKey: null }),
    run: (args: string[], env: Record<string, string> = site().env) => runInThisProcess('leads', args, env),
    runInChildProcess: (args: string[], env: Record<string, string> = site().env) =>
      runInChildProcess('leads', args, env),
  }
}
