import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { expectThat } from '../faults/fault-case.ts'
import { freePort } from '../testing/free-port.ts'
import { waitUntil } from '../testing/wait-until.ts'
import { openProject, prove } from './prove.ts'

const PROJECT = 'plumbline-offsite-proof'
// A volume outside the Compose project. It survives `destroy`, as if it were on another machine.
const REPOSITORY = `${PROJECT}-repository`
const VOLUMES = ['data', 'offsite'].map((name) => `${PROJECT}_${name}`)
const REQUESTS = 50
// The offsite service looks for a new backup once a minute.
const PATIENCE_MS = 100_000

const port = await freePort()
const settings = {
  PORT: port,
  SITE_URL: `http://localhost:${port}`,
  COMPOSE_PROFILES: 'offsite',
  RESTIC_REPOSITORY: '/repository',
  RESTIC_PASSWORD: 'only-for-this-test',
}
const override = `services:
  offsite: { volumes: ["repository:/repository"] }
volumes:
  repository: { external: true, name: ${REPOSITORY} }
`
const project = openProject(PROJECT, port, settings, { override })
const { url, client, docker, compose, exec } = project

/** The commands that operations.md documents for bringing the leads back. */
function documentedCommands(): string[] {
  const [, chapter] = readFileSync('server/operations.md', 'utf8').split('## When the disk dies')
  const [, commands = ''] = chapter?.match(/```sh\n([^`]*)\n```/) ?? []
  return commands.split('\n')
}

function runWithoutTerminal(command: string) {
  const args = command.replace(/^docker compose /, '').replace(/^run /, 'run -T ')
  return compose(...args.split(' '))
}

async function backUp(): Promise<string> {
  return JSON.parse((await exec('backup', '--json')).stdout).path
}

const isSent = (path: string) => async () =>
  (await exec('grep', basename(path), '/data/offsite/offsite.json')).code === 0

const steps = {
  async 'builds the images'() {
    await docker('volume', 'create', REPOSITORY)
    await compose('build', 'web', 'offsite')
    return compose('run', '--rm', '-T', 'offsite', 'restic', 'version')
  },

  async 'starts with the offsite profile'() {
    return `ready after ${(await project.up()).toFixed()} ms`
  },

  async 'runs without privileges on a read-only file system'() {
    const seen = await project.expectHardened('offsite')
    const write = await compose('exec', '-T', 'offsite', 'touch', '/data/x').catch(String)
    expectThat(write.includes('Read-only file system'), `the data is writable: ${write}`)
    return `${seen}, cannot write to the data`
  },

  async 'sends a backup offsite'() {
    for (let count = 0; count < REQUESTS; count++) await client.post(url)
    expectThat(client.unanswered().length === 0, `${client.unanswered().length} refused`)
    const took = await waitUntil('the backup is sent', isSent(await backUp()), PATIENCE_MS)
    const found = (await project.doctor()).filter(({ check }) => check === 'backups')
    expectThat(found.length === 2, JSON.stringify(found))
    return `${REQUESTS} requests; the backup was sent after ${(took / 1000).toFixed()} s; ${found[1]?.seen}`
  },

  async 'deletes every volume except the repository'() {
    await compose('down', '--volumes')
    const left = (await docker('volume', 'ls', '--quiet')).split('\n')
    expectThat(left.includes(REPOSITORY), 'the repository is gone too')
    expectThat(!VOLUMES.some((name) => left.includes(name)), left.join())
    return 'only the repository is left'
  },

  async 'restores the leads with the documented commands'() {
    const output: string[] = []
    for (const command of documentedCommands()) output.push(await runWithoutTerminal(command))
    const took = await project.untilReady()
    const kept = await project
      .expectKept()
      .catch((error) => Promise.reject(new Error(`${error}\n${output.join('\n')}`)))
    return `${documentedCommands().length} commands, ready after ${took.toFixed()} ms: ${kept}`
  },
}

await prove(steps, async () => {
  await project.close()
  await docker('volume', 'rm', REPOSITORY)
})
