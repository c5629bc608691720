import { rmSync } from 'node:fs'
import { createRecordingClient } from '../testing/recording-client.ts'
import { openRelay } from '../testing/relay.ts'
import { type Launch, newDataDir, type Program, startProgram } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { weakenedBy } from './controls/weakenings.ts'
import { type DatabaseKind, options } from './options.ts'
import { newDatabase } from './postgres-server.ts'
import { type Queries, queryDatabase } from './query-database.ts'
import { verify, violations } from './verify.ts'

export type Harness = Awaited<ReturnType<typeof openHarness>>
type Start = Launch & { env?: Record<string, string>; weakness?: Parameters<typeof weakenedBy>[0] }

type Options = { givenDir?: string; database?: DatabaseKind; url?: string }

// Generous, because each poll disturbs the server, and other work may go on beside it.
const MS_PER_EMAIL = 30

/** A database, a mail server and a recording client for one or more runs of the program, in sequence or in parallel. */
export async function openHarness({ givenDir, database = options.database, url }: Options = {}) {
  const dataDir = givenDir ?? newDataDir().path
  const settings = {
    DATA_DIR: dataDir,
    ...(database === 'postgres' && { DATABASE_URL: url ?? (await newDatabase()) }),
  }
  const isOwn = givenDir === undefined
  const relay = await openRelay()
  const client = createRecordingClient()
  const programs: Pick<Program, 'stop'>[] = []
  const evidence = { settings, client, mails: relay.emails }

  const envOf = (env: Start['env'] = {}) => ({
    ...settings,
    SMTP_URL: relay.url,
    // Emails contain this URL. It leaves out the port, which changes with every start: repeated emails must be identical.
    SITE_URL: 'http://localhost',
    CONTACT_LIMIT: '1000000',
    EMAILS_A_DAY: '0',
    ...env,
  })

  async function start({ env, weakness, ...launch }: Start = {}) {
    const nodeOptions = [...(launch.nodeOptions ?? []), ...(weakness ? weakenedBy(weakness) : [])]
    const program = await startProgram(envOf(env), { ...launch, nodeOptions })
    programs.push(program)
    return program
  }

  /** Restarts the program with a healthy mail server, repeats unanswered requests, and sends waiting and failed emails. */
  async function recover() {
    relay.heal()
    await queryDatabase(settings, (stored) => stored.expireLeases())
    const program = await start()
    for (const entry of client.unanswered()) await client.repeat(program.url, entry)
    await drain(program.url)
    await program.stop()
  }

  /**
   * Sends all waiting and failed emails, without the pauses between attempts. Posts a request, because that wakes the
   * worker.
   */
  async function drain(url: string) {
    await queryDatabase(settings, (stored) => stored.makeAllDue())
    await client.post(url)
    const isEmpty = () =>
      queryDatabase(settings, async (stored) => {
        if ((await stored.waitingEmails()) === 0) return true
        // An attempt that was going on has failed since, for example because its mail server misbehaved until now.
        await stored.makeQueuedDue()
        return false
      })
    const backlog = await queryDatabase(settings, (stored) => stored.waitingEmails())
    await waitUntil('the outbox is empty', isEmpty, 60_000 + backlog * MS_PER_EMAIL)
  }

  return {
    dataDir,
    settings,
    query: <Answer>(question: (stored: Queries) => Promise<Answer>) => queryDatabase(settings, question),
    relay,
    client,
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
