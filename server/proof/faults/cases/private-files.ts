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
      // Everyone may enter this folder, so that only the program's own file permissions protect what is in it.
      using folder = newDataDir()
      chmodSync(folder.path, 0o755)
      const umask = process.umask(0o022)
      const found = await useEverything(join(folder.path, 'data')).finally(() => process.umask(umask))
      const open = found.filter((path) => (lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077)
      expectThat(open.length === 0, `open: ${open.join()}`)
      return `${found.length} files and folders, none open`
    },
  },
]

/** Makes the program write every kind of file. Returns their paths. */
async function useEverything(dataDir: string): Promise<string[]> {
  const env = { DATA_DIR: dataDir }
  const run = async (...args: string[]) => {
    const { code, output } = await runCli(args, { env })
    expectThat(code === 0, `${args[0]}: ${output}`)
  }
  const paths = () => readdirSync(dataDir, { recursive: true }).map((name) => join(dataDir, String(name)))
  const server = await startProgram(env)
  await postRequest(server.url)
  await waitUntil('the email file exists', () => paths().some((path) => path.endsWith('.eml')))
  await run('backup')
  await run('leads', 'export', '--output', join(dataDir, 'leads.xlsx'))
  expectThat(existsSync(join(dataDir, 'leads.db-wal')), 'no WAL')
  const open = paths().filter((path) => lstatSync(path).mode & 0o077)
  expectThat(open.length === 0, `open while the server runs: ${open.join()}`)
  await server.stop()
  await run('restore', String(readdirSync(join(dataDir, 'backups'))[0]))
  return [dataDir, ...paths()]
}
