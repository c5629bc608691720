import { freePort } from '../../testing/free-port.ts'
import { isOk } from '../../testing/is-ok.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'

/** Sends the program's output to a device that is always full. The program can't log its port, so the case picks one. */
export const fullLog: FaultCase = {
  family: 'disk',
  fault: 'the log is redirected to a full disk (/dev/full)',
  expected: 'requests are stored; the server exits with 0 after SIGTERM',
  async run() {
    await using harness = await openHarness()
    const port = await freePort()
    const program = launchProgram(harness.envOf({ PORT: String(port) }), {
      through: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'],
    })
    harness.watch(program)
    const url = `http://localhost:${port}`
    await waitUntil('the server is up', () => isOk(`${url}/healthz`))
    for (let count = 0; count < 5; count++) await harness.client.post(url)
    const code = await program.stop()
    expectThat(code === 0, `exit code ${code}`)
    expectThat(harness.client.unanswered().length === 0, `${harness.client.unanswered().length} not stored`)
    return `5 stored, exit 0; ${await harness.recoverAndVerify()}`
  },
}
