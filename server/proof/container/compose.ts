import { spawn, spawnSync } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { envNames } from '../../env.ts'

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
