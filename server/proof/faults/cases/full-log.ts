import { freePort } from '../../testing/free-port.ts'
import { launchProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openTrial } from '../trial.ts'

/** Sends the program's output to a device that is always full. It can't log its port, so the case picks one. */
export const fullLog: FaultCase = {
  family: 'disk',
  fault: 'the disk under a redirected log is full (/dev/full)',
  expected: 'requests are stored, exit 0 after SIGTERM',
  async run() {
    await using trial = await openTrial()
    const port = await freePort()
    const program = launchProgram(trial.envOf({ PORT: String(port) }), {
      through: ['sh', '-c', 'exec "$@" >/dev/full', 'sh'],
    })
    trial.watch(program)
    const url = `http://localhost:${port}`
    await waitUntil('it is up', () =>
      fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    for (let count = 0; count < 5; count++) await trial.ledger.post(url)
    const code = await program.stop()
    expectThat(code === 0, `exit code ${code}`)
    expectThat(trial.ledger.unanswered().length === 0, `${trial.ledger.unanswered().length} not stored`)
    return `5 stored, exit 0; ${await trial.recoverAndVerify()}`
  },
}
