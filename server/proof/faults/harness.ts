import { rmSync } from 'node:fs'
import { createRecordingClient } from '../testing/recording-client.ts'
import { openRelay } from '../testing/relay.ts'
import { type Launch, launchProgram, newDataDir, untilReady } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { type Weakness, weakenedBy } from './controls/weakenings.ts'
import { options } from './options.ts'
import { newDatabase } from './postgres-server.ts'
import { type Queries, queryDatabase } from './query-database.ts'
import { verify } from './verify.ts'

export type Harness = Awaited<ReturnType<typeof openHarness>>
type Start = Launch & { env?: Record<string, string>; weakness?: Weakness | undefined }

type Options = { givenDir?: string; database?: typeof options.database; url?: string }

// Generous, because each poll disturbs the server, and other work may go on beside it.
const MS_PER_EMAIL = 30

/**
 * A database, a mail server and a recording client for one or more runs of the program, in sequence
 * or in parallel.
 */
export async function openHarness({ givenDir, database = options.database, url }: Options = {}) {
  const dataDir = givenDir ?? newDataDir().path
  const settings = {
    DATA_DIR: dataDir,
    ...(database === 'postgres' && { DATABASE_URL: url ?? (await newDatabase()) }),
  }
  const relay = await openRelay()
  const client = createRecordingClient()
  const programs: ReturnType<typeof launchProgram>[] = []
  const query = <Answer>(question: (stored: Queries) => Promise<Answer>) => queryDatabase(settings, question)

  /** Starts the program without waiting until it's ready. */
  function launch({ env, weakness, ...how }: Start = {}) {
    const all = {
      ...settings,
      SMTP_URL: relay.url,
      // Emails contain this URL. It leaves out the port, which changes with every start: repeated
      // emails must be identical.
      SITE_URL: 'http://localhost',
      CONTACT_LIMIT: '1000000',
      EMAILS_A_DAY: '0',
      ...env,
    }
    const program = launchProgram(all, { ...how, nodeOptions: weakenedBy(weakness) })
    programs.push(program)
    return program
  }
  const start = (how: Start = {}) => untilReady(launch(how))

  /**
   * Sends all waiting and failed emails at once. Posts a request, because that wakes the worker.
   */
  async function drain(url: string) {
    await query((stored) => stored.makeAllDue())
    await client.post(url)
    const isEmpty = () =>
      query(async (stored) => {
        if ((await stored.waitingEmails()) === 0) return true
        // An attempt that was going on has failed since, for example because its mail server
        // misbehaved until now.
        await stored.makeAllDue()
        return false
      })
    const backlog = await query((stored) => stored.waitingEmails())
    await waitUntil('the outbox is empty', isEmpty, 60_000 + backlog * MS_PER_EMAIL)
  }

  return {
    dataDir,
    settings,
    query,
    relay,
    client,
    start,
    launch,
    drain,
    verify: () => verify({ settings, client, mails: relay.emails }),
    /**
     * Restarts the program with a healthy mail server, repeats unanswered requests, and sends
     * waiting and failed emails.
     */
    async recoverAndVerify() {
      relay.heal()
      await query((stored) => stored.expireLeases())
      const program = await start()
      for (const entry of client.unanswered()) await client.repeat(program.url, entry)
      await drain(program.url)
      await program.stop()
      return this.verify()
    },
    async [Symbol.asyncDispose]() {
      for (const program of programs) await program.stop('SIGKILL')
      await relay.close()
      if (givenDir === undefined) rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
