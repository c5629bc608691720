import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createDatabaseFile } from '../../database/sqlite.ts'
import { envNames } from '../../env.ts'
import { enqueue } from '../../outbox/email.ts'
import { expectThat } from '../faults/fault-case.ts'
import type { StoredLead } from '../faults/query-database.ts'
import { lostOrDouble } from '../faults/verify.ts'
import { storeLead } from '../testing/leads.ts'
import { createRecordingClient } from '../testing/recording-client.ts'
import { newDataDir } from '../testing/start-program.ts'
import { waitUntil } from '../testing/wait-until.ts'

type Result = { code: number; stdout: string; stderr: string }

type Settings = Record<string, string | number>
type Finding = { check: string; state: string; seen: string }
const START_MS = 60_000

/**
 * Opens a Compose project with these settings, which listens on `port` of this machine. Runs
 * Docker, and Docker Compose (the plugin or `docker-compose`). `override` is the content of another
 * Compose file.
 */
export function openProject(
  project: string,
  port: number,
  settings: Settings,
  { service = 'web', override = '' } = {},
) {
  const folder = mkdtempSync(join(tmpdir(), `${project}-`))
  const [envFile, overrideFile] = [join(folder, 'env'), join(folder, 'override.yml')]
  const files = override ? ['docker-compose.yml', overrideFile] : []
  if (override) writeFileSync(overrideFile, override)
  const url = `http://localhost:${port}`
  const client = createRecordingClient()
  const all: Settings = { CONTACT_LIMIT: 1_000_000, ...settings }
  /** Writes the settings, with changes, for the next start. */
  function set(changes: Settings = {}) {
    Object.assign(all, changes)
    const lines = Object.entries(all).map(([name, value]) => `${name}=${value}\n`)
    writeFileSync(envFile, lines.join(''))
  }
  set()
  // Leave out the settings in the developer's shell, because they would override the env file.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !envNames.includes(name)))
  const hasPlugin = spawnSync('docker', ['compose', 'version'], { env }).status === 0
  const [program = '', ...first] = hasPlugin ? ['docker', 'compose'] : ['docker-compose']

  /** Runs a command. If it fails, rejects with a Result that is an error. */
  async function run(command: string, args: readonly string[], input?: Buffer): Promise<string> {
    const ended = promisify(execFile)(command, args, { env, maxBuffer: Number.POSITIVE_INFINITY })
    ended.child.stdin?.on('error', () => {}).end(input)
    return (await ended).stdout.trim()
  }
  const runCompose = (args: readonly string[], input?: Buffer) => {
    const options = ['-p', project, '--env-file', envFile, ...files.flatMap((file) => ['-f', file])]
    return run(program, [...first, ...options, ...args], input)
  }

  const docker = (...args: string[]) => run('docker', args)
  const compose = (...args: string[]) => runCompose(args)
  /** Runs a command in the running container. Returns its exit code instead of throwing. */
  const exec = (...args: string[]): Promise<Result> =>
    compose('exec', '-T', service, ...args).then(
      (stdout) => ({ code: 0, stdout, stderr: '' }),
      (failed: Result) => failed,
    )
  /** Resolves, once the site is ready, to how long that took, in milliseconds. */
  const untilReady = () => waitUntil('the site is ready', isReady, START_MS)
  const isReady = () =>
    fetch(`${url}/healthz/ready`)
      .then(({ ok }) => ok)
      .catch(() => false)
  const leads = async () =>
    JSON.parse((await exec('leads', 'list', '--json', '-n', '100000')).stdout) as StoredLead[]

  return {
    url,
    client,
    set,
    docker,
    compose,
    exec,
    leads,
    /** Whether the image is available. Pulls it if necessary. */
    hasImage: (image: string) =>
      docker('image', 'inspect', image)
        .catch(() => docker('pull', '--quiet', image))
        .then(Boolean, () => false),
    /** Builds an image from a Dockerfile, without a build context. */
    buildImage: (name: string, dockerfile: Buffer) =>
      run('docker', ['build', '--quiet', '--tag', name, '-'], dockerfile),
    /** Runs a command in a new container with the same volumes. */
    runInNewContainer: (args: string[], input?: Buffer) =>
      runCompose(['run', '--rm', '-T', service, ...args], input),
    untilReady,
    /** Starts services, and returns the milliseconds until the site is ready. */
    async up(...services: string[]) {
      await compose('up', '-d', ...services)
      return untilReady()
    },
    /** Expects that every acknowledged request is stored exactly once. */
    async expectKept() {
      const stored = await leads()
      const found = lostOrDouble(client, stored)
      expectThat(found.length === 0, found.join('; '))
      return `${client.acknowledged().length} acknowledged, 0 lost, 0 duplicates`
    },
    /**
     * Expects that a container of this service has no privileges, a read-only file system, and
     * limits.
     */
    async expectHardened(name: string) {
      const host = ['ReadonlyRootfs', 'CapDrop', 'Memory', 'PidsLimit'].map((key) => `{{.HostConfig.${key}}}`)
      const seen = await docker('inspect', '--format', host.join(' '), await compose('ps', '-q', name))
      expectThat(/^true \[ALL\] [1-9]\d+ [1-9]\d*$/.test(seen), seen)
      const status = await compose('exec', '-T', name, 'cat', '/proc/1/status')
      for (const line of [/^Uid:\s+1000\s/m, /^CapEff:\s+0+$/m, /^CapBnd:\s+0+$/m, /^NoNewPrivs:\s+1$/m])
        expectThat(line.test(status), `${line}: ${status}`)
      return 'user 1000, no capabilities, read-only, limits set'
    },
    doctor: async () => JSON.parse((await exec('doctor', '--json')).stdout) as Finding[],
    async close() {
      await compose('down', '--volumes')
      rmSync(folder, { recursive: true })
    },
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

/** Runs the steps in order and prints each result. Stops at the first failure. */
export async function prove(steps: Record<string, () => Promise<string>>, cleanUp: () => Promise<void>) {
  try {
    for (const [name, step] of Object.entries(steps)) {
      const startedAt = performance.now()
      const seen = await step()
      print(`ok | ${name} | ${seen} | ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
    }
  } catch (error) {
    print(`FAILED | ${error instanceof Error ? error.stack : error}`)
    process.exitCode = 1
  } finally {
    await cleanUp()
  }
}

/** The bytes of a `leads.db` with one lead whose email is waiting. */
export async function sampleDatabase(reference: string): Promise<Buffer> {
  using folder = newDataDir()
  const file = join(folder.path, 'leads.db')
  const db = await createDatabaseFile(file)
  const { id } = await storeLead(db, { id: '019b8d00-0000-7000-8000-000000000000', reference })
  const notice = {
    leadId: id,
    kind: 'owner_notice',
    recipient: 'owner@agency.example',
    messageId: '<earlier@agency.example>',
  } as const
  await enqueue(db, [notice], new Date())
  await db.destroy()
  return readFileSync(file)
}
