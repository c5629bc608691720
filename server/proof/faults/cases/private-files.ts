import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { NOBODY } from '../../testing/needs.ts'
import { postRequest } from '../../testing/post-request.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { runCli } from '../run-cli.ts'

const family = 'other users of the machine'
const needs = ['otherUser'] as const

export const privateFiles: FaultCase[] = [
  {
    family,
    fault: 'try to read the files that the program wrote',
    expected: 'every file and folder in DATA_DIR is private to its owner',
    async run() {
      using installation = newInstallation()
      const open = await useEverything(installation)
      const found = [...open, ...pathsIn(installation.dataDir).filter(isOpen)]
      expectThat(found.length === 0, `open: ${found.join()}`)
      return `${pathsIn(installation.dataDir).length} files and folders, none open`
    },
  },
  {
    family,
    fault: 'lock server.lock for reading while two servers start',
    expected: 'one server starts, the other and a third are refused',
    needs,
    isLong: true,
    async run() {
      using installation = newInstallation()
      await (await startProgram(installation.env)).stop()
      const holder = await holdLock(installation.dataDir)
      const starts = await Promise.allSettled([
        startProgram(installation.env),
        startProgram(installation.env),
      ])
      const third = await startProgram(installation.env).then(
        () => 'started',
        (error: Error) => error.message,
      )
      holder.kill()
      const started = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []))
      for (const server of started) await server.stop()
      expectThat(started.length === 1, `${started.length} of two started`)
      expectThat(third.includes('A server is already using'), `the third: ${third}`)
      return '1 of 3 started'
    },
  },
  {
    family,
    fault: 'root takes the first backup of a server that runs as another user, and restores it',
    expected: 'all files belong to that user, and the server starts, stores leads and backs them up',
    needs,
    // Not in the short run, because take-backup.sqlite.test.ts and restore-backup.sqlite.test.ts check the owners, too.
    isLong: true,
    async run() {
      using installation = newInstallation()
      mkdirSync(installation.dataDir)
      chownSync(installation.dataDir, NOBODY, NOBODY)
      const first = await startProgram(installation.env, { uid: NOBODY })
      await postRequest(first.url)
      await command(installation, 'backup')
      await first.stop()
      await command(installation, 'restore', String(readdirSync(join(installation.dataDir, 'backups'))[0]))
      const second = await startProgram(installation.env, { uid: NOBODY })
      const { status } = await postRequest(second.url)
      execFileSync(process.execPath, ['server/cli/backup.ts'], { env: installation.env, uid: NOBODY })
      await second.stop()
      expectThat(status === 200, `response ${status}`)
      const foreign = pathsIn(installation.dataDir).filter((path) => lstatSync(path).uid !== NOBODY)
      expectThat(foreign.length === 0, `owned by another user: ${foreign.join()}`)
      return `${pathsIn(installation.dataDir).length} files and folders, all owned by that user`
    },
  },
]

/** Creates a folder that everyone may enter, so that only the program's own file permissions protect what is in it. */
function newInstallation() {
  const folder = newDataDir()
  chmodSync(folder.path, 0o755)
  const umask = process.umask(0o022)
  const dataDir = join(folder.path, 'data')
  return {
    dataDir,
    env: { DATA_DIR: dataDir },
    [Symbol.dispose]() {
      process.umask(umask)
      folder[Symbol.dispose]()
    },
  }
}
type Installation = ReturnType<typeof newInstallation>

const pathsIn = (path: string) => [
  path,
  ...readdirSync(path, { recursive: true }).map((name) => join(path, String(name))),
]
const isOpen = (path: string) => (lstatSync(path).mode & 0o077) !== 0

async function command({ env }: Installation, ...args: string[]) {
  const { code, output } = await runCli(args, { env })
  expectThat(code === 0, `${args[0]}: ${output}`)
}

/** Makes the program write every kind of file. Returns the files that others could access while the server ran. */
async function useEverything(installation: Installation): Promise<string[]> {
  const { dataDir, env } = installation
  const server = await startProgram(env)
  await postRequest(server.url)
  const hasEml = () => readdirSync(join(dataDir, 'mail')).some((name) => name.endsWith('.eml'))
  await waitUntil('the email file exists', hasEml)
  await command(installation, 'backup')
  await command(installation, 'leads', 'export', '--output', join(dataDir, 'leads.xlsx'))
  const open = pathsIn(dataDir).filter(isOpen)
  expectThat(existsSync(join(dataDir, 'leads.db-wal')), 'no WAL')
  await server.stop()
  await command(installation, 'restore', String(readdirSync(join(dataDir, 'backups'))[0]))
  await command(installation, 'leads', 'list')
  return open
}

/** Locks server.lock as another user, which works if its mode was changed by hand. */
async function holdLock(dataDir: string) {
  const path = join(dataDir, 'server.lock')
  chmodSync(dataDir, 0o755)
  chmodSync(path, 0o644)
  const script = `const lock = new (require('better-sqlite3'))(process.argv[1], { readonly: true })
    lock.exec('begin')
    lock.prepare('select * from sqlite_master').all()
    console.log('locked')
    setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['-e', script, path], { uid: NOBODY })
  await once(holder.stdout, 'data')
  return holder
}
