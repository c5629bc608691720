import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../testing/free-port.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { openHarness } from '../harness.ts'
import { ownPostgres } from '../postgres-server.ts'

const POSTS = 20

export const pooler: FaultCase[] = [
  {
    family: 'PostgreSQL',
    fault: 'behind a pooler in transaction mode',
    expected: 'nothing is lost, and the jobs run again after a restart',
    needs: ['postgres', 'pgbouncer'],
    isLong: true,
    async run() {
      await using pool = await openPooler()
      await using harness = await openHarness({ database: 'postgres', url: pool.url })
      for (let round = 0; round < 2; round++) {
        const program = await harness.start()
        for (let count = 0; count < POSTS; count++) await harness.client.post(program.url)
        await harness.drain(program.url)
        // The digest job writes this setting only after it has acquired its lock, and releases the lock afterward.
        const notes = await harness.query((stored) =>
          stored.count("from settings where name = 'digest_sent_at'"),
        )
        const locks = await harness.query((stored) =>
          stored.count("from pg_locks where locktype = 'advisory'"),
        )
        expectThat(notes === 1 && locks === 0, `${notes} digests recorded, ${locks} locks left`)
        await program.stop()
      }
      return await harness.verify()
    },
  },
]

async function openPooler() {
  const server = await ownPostgres()
  const port = await freePort()
  const settings = join(server.folder, 'pgbouncer.ini')
  writeFileSync(
    settings,
    `[databases]\npostgres = host=${server.folder} user=plumbline\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nauth_type = any\npool_mode = transaction\nignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout\nunix_socket_dir =\n`,
  )
  if (server.user) chownSync(settings, server.user.uid, server.user.gid)
  const bouncer = spawn('pgbouncer', [settings], { ...server.user, stdio: 'ignore' })
  return {
    url: `postgres://plumbline@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      bouncer.kill('SIGKILL')
      if (bouncer.exitCode === null) await once(bouncer, 'exit')
      await server[Symbol.asyncDispose]()
    },
  }
}
