import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expectThat } from '../faults/fault-case.ts'
import { freePort } from '../testing/free-port.ts'
import { openProject, prove, sampleDatabase } from './prove.ts'

const REPLICAS = 3
const EARLIER_REFERENCE = 'Q-01D0-0001'
const VISITORS = 6
const LOAD_MS = 3_000

const [port, tlsPort] = [await freePort(), await freePort()]
const settings = {
  COMPOSE_PROFILES: 'scale',
  SITE_URL: 'http://localhost',
  HTTP_PORT: port,
  POSTGRES_PASSWORD: randomBytes(24).toString('hex'),
  HTTPS_PORT: tlsPort,
}
const project = openProject('plumbline-scale', port, settings, { service: 'copies' })
const { url, client, docker, compose, exec, up, runInNewContainer, hasImage, buildImage } = project

const idsOf = async (service: string) => (await compose('ps', '-q', service)).split('\n')

const steps = {
  /**
   * Builds our image. For PostgreSQL and Caddy, uses the official images or, if they can't be
   * pulled, Debian's packages.
   */
  async 'builds or pulls the images'() {
    await compose('build', 'copies')
    const used: string[] = []
    for (const [name, image] of Object.entries({ postgres: 'postgres:17', caddy: 'caddy:2' })) {
      const standIn = `plumbline-stand-in-${name}`
      const isOfficial = await hasImage(image)
      if (!isOfficial) {
        const dockerfile = join(import.meta.dirname, 'stand-in', `${name}.Dockerfile`)
        await buildImage(standIn, readFileSync(dockerfile))
        project.set({ [`${name.toUpperCase()}_IMAGE`]: standIn })
      }
      used.push(isOfficial ? image : `${standIn} for ${image}`)
    }
    return used.join(', ')
  },

  async 'migrates a data directory to PostgreSQL'() {
    await runInNewContainer(['sh', '-c', 'cat > /data/leads.db'], await sampleDatabase(EARLIER_REFERENCE))
    return (await runInNewContainer(['leads', 'copy'])).split('\n')[0] ?? ''
  },

  async 'starts replicas that share a database, behind a balancer'() {
    const took = await up('balancer')
    const replicas = (await idsOf('copies')).length
    expectThat(replicas === REPLICAS, `${replicas} replicas`)
    const moved = await exec('leads', 'show', EARLIER_REFERENCE)
    expectThat(moved.code === 0, moved.stderr)
    const published = await compose('port', 'postgres', '5432').catch(() => '')
    expectThat(!/:[1-9]/.test(published), `PostgreSQL's port is published as ${published}`)
    return `${replicas} replicas on one database, ready after ${took.toFixed()} ms; PostgreSQL's port is not published`
  },

  /** Kills a replica while visitors post, who repeat each request until it is accepted. */
  async 'survives the loss of a replica under load'() {
    const replicas = await idsOf('copies')
    const visitors = client.visit(() => url, VISITORS)
    await sleep(LOAD_MS)
    await docker('kill', '--signal', 'KILL', replicas[0] ?? '')
    await sleep(LOAD_MS)
    await visitors.end()
    // Start the replica again: Docker doesn't restart a container after `docker kill`.
    await up('balancer')
    const served = await Promise.all(replicas.map((id) => docker('logs', id)))
    const counts = served.map((lines) => lines.split('"outcome"').length - 1)
    expectThat(Math.min(...counts) > 0, `requests stored by each replica: ${counts}`)
    return `stored by each replica: ${counts.join(', ')}; ${await project.expectKept()}`
  },

  async 'passes `doctor` and takes a backup'() {
    const findings = await project.doctor()
    // All requests of this proof come from one address, as doctor notices.
    const problems = findings.filter(({ check, state }) => state === 'problem' && check !== 'visitors')
    expectThat(problems.length === 0, JSON.stringify(problems))
    const backup = JSON.parse((await exec('backup', '--json')).stdout) as { leads: number }
    return `no problem; a backup of ${backup.leads} leads`
  },
}

await prove(steps, project.close)
