import { expectThat, type FaultCase } from '../fault-case.ts'
import { databaseFiles, injectInto } from '../strace.ts'
import { openTrial } from '../trial.ts'

const EXIT_DEADLINE_MS = 5000

export const ioErrors: FaultCase[] = ['fsync', 'pwrite64'].flatMap((call) =>
  [
    { when: '1', words: 'fails once' },
    { when: '1+', words: 'fails for good' },
  ].map(({ when, words }) => ({
    family: 'disk',
    fault: `${call} ${words} (EIO)`,
    expected: '503, then exit 1 <= 5 s for a supervisor; the retry is one lead',
    needs: ['strace' as const],
    async run() {
      await using trial = await openTrial()
      const program = await trial.start()
      await trial.ledger.post(program.url)
      await trial.drain(program.url)
      const tracer = await injectInto(
        program.pid,
        `${call}:error=EIO:when=${when}`,
        databaseFiles(trial.dataDir),
      )

      const entry = await trial.ledger.post(program.url)
      const failedAt = performance.now()
      const code = await Promise.race([program.exited, tooLong()])
      const took = performance.now() - failedAt
      await tracer.detach()

      expectThat(entry.statuses.at(-1) === 503, `answered ${entry.statuses.at(-1)}`)
      expectThat(code === 1, `exit code ${code}`)
      const seen = await trial.recoverAndVerify()
      return `503, exit 1 after ${took.toFixed()} ms; ${seen}`
    },
  })),
)

const tooLong = () =>
  new Promise<string>((done) =>
    setTimeout(done, EXIT_DEADLINE_MS, `none after ${EXIT_DEADLINE_MS} ms`).unref(),
  )
