import { rmSync } from 'node:fs'
import { type Launch, newDataDir, type Program, startProgram } from '../testing/start-program.ts'
import { weakenedBy } from './controls/weakenings.ts'
import { createLedger } from './ledger.ts'
import { openRelay } from './relay.ts'
import { ask } from './stored.ts'
import { verify, violations } from './verify.ts'
import { waitUntil } from './wait-until.ts'

export type Trial = Awaited<ReturnType<typeof openTrial>>
type Start = Launch & { env?: Record<string, string>; weakness?: Parameters<typeof weakenedBy>[0] }

/** A data directory, a mail server and a ledger of promises around one program after another. */
export async function openTrial(givenDir?: string) {
  const dataDir = givenDir ?? newDataDir().path
  const isOwn = givenDir === undefined
  const relay = await openRelay()
  const ledger = createLedger()
  const programs: Pick<Program, 'stop'>[] = []
  const evidence = { dataDir, ledger, mails: relay.mails }

  const envOf = (env: Start['env'] = {}) => ({
    DATA_DIR: dataDir,
    SMTP_URL: relay.url,
    // It stands in the mails; the port changes with every start.
    SITE_URL: 'http://localhost',
    CONTACT_LIMIT: '1000000',
    ...env,
  })

  async function start({ env, weakness, ...launch }: Start = {}) {
    const nodeOptions = [...(launch.nodeOptions ?? []), ...(weakness ? weakenedBy(weakness) : [])]
    const program = await startProgram(envOf(env), { ...launch, nodeOptions })
    programs.push(program)
    return program
  }

  /** With a healthy mail server and a fresh program: lets everybody try again, and every mail leave. */
  async function recover() {
    relay.heal()
    const program = await start()
    for (const entry of ledger.unanswered()) await ledger.repeat(program.url, entry)
    await drain(program.url)
    await program.stop()
  }

  /** Lets every waiting mail leave, without the minutes between two attempts: a new request at `url` wakes the worker. */
  async function drain(url: string) {
    ask(dataDir, (stored) => stored.passRetryTime())
    await ledger.post(url)
    await waitUntil(
      'the outbox is empty',
      () => ask(dataDir, (stored) => stored.waitingMails()) === 0,
      60_000,
    )
  }

  return {
    dataDir,
    relay,
    ledger,
    start,
    envOf,
    recover,
    drain,
    watch: (program: Pick<Program, 'stop'>) => programs.push(program),
    verify: () => verify(evidence),
    violations: () => violations(evidence),
    async recoverAndVerify() {
      await recover()
      return verify(evidence)
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program.stop('SIGKILL')
      await relay.close()
      if (isOwn) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
