import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createDatabaseFile } from '../../database/sqlite.ts'
import { envNames } from '../../env.ts'
import { enqueue } from '../../outbox/enqueue.ts'
import { storeLead } from '../testing/leads.ts'
import { newDataDir } from '../testing/start-program.ts'

type Result = { code: number | null; stdout: string; stderr: string }

/** Runs Docker, and Docker Compose (the plugin or `docker-compose`) for the given project. */
export function openCompose(
  project: string,
  envFile: string,
  { service = 'web', profile = '', files = [] as string[] } = {},
) {
  // Leave out the settings in the developer's shell, because they would override the env file.
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !envNames.includes(name)))
  const hasPlugin = spawnSync('docker', ['compose', 'version'], { env }).status === 0
  const [program = '', ...first] = hasPlugin ? ['docker', 'compose'] : ['docker-compose']

  async function run(command: string, args: readonly string[], input?: Buffer): Promise<Result> {
    const child = spawn(command, args, { env })
    const code = new Promise<number | null>((done, fail) => child.on('error', fail).on('close', done))
    child.stdin.on('error', () => {}).end(input)
    const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
    return { code: await code, stdout, stderr }
  }
  const orThrow = async (result: Promise<Result>) => {
    const { code, stdout, stderr } = await result
    if (code !== 0) throw new Error(`exit ${code}\n${stdout}${stderr}`)
    return stdout.trim()
  }
  const wanted = profile ? ['--profile', profile] : []
  const composeArgs = (args: readonly string[]) => [
    ...[...first, '-p', project, '--env-file', envFile],
    ...files.flatMap((file) => ['-f', file]),
    ...[...wanted, ...args],
  ]

  return {
    docker: (...args: string[]) => orThrow(run('docker', args)),
    compose: (...args: string[]) => orThrow(run(program, composeArgs(args))),
    /** Whether the image is available. Pulls it if necessary. */
    hasImage: async (image: string) =>
      (await run('docker', ['image', 'inspect', image])).code === 0 ||
      (await run('docker', ['pull', '--quiet', image])).code === 0,
    /** Builds an image from a Dockerfile, without a build context. */
    buildImage: (name: string, dockerfile: Buffer) =>
      orThrow(run('docker', ['build', '--quiet', '--tag', name, '-'], dockerfile)),
    /** Runs a command in the running container. Returns its exit code instead of throwing. */
    exec: (...args: string[]) => run(program, composeArgs(['exec', '-T', service, ...args])),
    /** Runs a command in a new container with the same volumes. */
    runInNewContainer: (args: string[], input?: Buffer) =>
      orThrow(run(program, composeArgs(['run', '--rm', '-T', service, ...args]), input)),
  }
}

const print = (line: string) => process.stdout.write(`${line}\n`)

export function expectThat(condition: boolean, seen: string): asserts condition {
  if (!condition) throw new Error(seen)
}

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
