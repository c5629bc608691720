import { chmodSync, existsSync, lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { postRequest } from '../../testing/contact.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { runCli } from '../run-cli.ts'

export const privateFiles: FaultCase[] = [
  {
    family: 'other users of the machine',
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
