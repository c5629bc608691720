import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isServerRunning } from '../../database/lock-data-directory.ts'
import { newDataDir } from '../../testing/start-program.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { waitUntil } from '../wait-until.ts'

const STOP_MS = 5_000
const root = join(import.meta.dirname, '../../..')

/** npm hands the signal to a shell, which dies of it and tells nobody. */
export const npmStop: FaultCase = {
  family: 'stop',
  fault: 'SIGTERM to `npm run serve`',
  expected: `the server under it stops too, within ${STOP_MS / 1000} s`,
  isAboutSqlite: true,
  async run() {
    using folder = newDataDir()
    const env = { ...process.env, DATA_DIR: folder.path, PORT: '0' }
    const npm = spawn('npm', ['run', 'serve'], { cwd: root, env, stdio: 'ignore' })
    const isRunning = () => existsSync(join(folder.path, 'leads.db')) && isServerRunning(folder.path)
    await waitUntil('it runs', isRunning)
    npm.kill('SIGTERM')
    await once(npm, 'exit')
    const took = await waitUntil('it has stopped', () => !isRunning(), STOP_MS)
    expectThat(took < STOP_MS, 'too late')
    return `stopped after ${took.toFixed()} ms`
  },
}
