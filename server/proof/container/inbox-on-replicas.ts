import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { apiPath, streamEvents } from '#shared/inbox/api.ts'
import type { LeadDetail, LeadPage } from '#shared/inbox/lead.ts'
import { isOk } from '../testing/is-ok.ts'
import { type EventReader, readEvents } from '../testing/read-events.ts'
import type { RecordingClient } from '../testing/recording-client.ts'
import { waitUntil } from '../testing/wait-until.ts'
import type { openCompose } from './compose.ts'
import { expectThat } from './prove.ts'

const SHOWN_MS = 1000
// Longer than SHOWN_MS, because the balancer may first try the replica that is gone.
const SHOWN_AFTER_LOSS_MS = 6000
const START_MS = 60_000
const NOTICED_MS = 2000
// If another replica sends the answer again, it does so within two polls of its worker.
const SENT_AGAIN_MS = 11_000

type Deps = {
  project: ReturnType<typeof openCompose>
  client: RecordingClient
  /** The URL of the balancer. */
  url: string
  up: () => Promise<unknown>
  /** The ids of the containers. */
  replicas: () => Promise<string[]>
}

/**
 * Acts as an owner's page that is connected through the balancer, while particular replicas receive new leads and answers.
 */
export function createInboxOnReplicas({ project, client, url, up, replicas }: Deps) {
  const { docker, exec } = project
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Sec-Fetch-Site': 'same-origin',
  }
  let stream: EventReader | undefined

  async function call<Body>(path: string, body?: object, base = url): Promise<Body> {
    const how = body ? { method: 'POST', body: JSON.stringify(body) } : {}
    const response = await fetch(`${base}${apiPath}${path}`, { headers, ...how })
    const [cookie = ''] = response.headers.getSetCookie()
    if (cookie) headers.Cookie = cookie.split(';')[0] ?? ''
    expectThat(response.ok, `${path}: ${response.status}`)
    return (await response.json()) as Body
  }

  async function signIn() {
    const { url: link } = JSON.parse((await exec('leads', 'sign-in', '--json')).stdout)
    await call('/sign-in/link', { token: link.split('#link=')[1] })
  }

  /** Like the page, keeps trying until a replica opens the stream. */
  const openStream = () =>
    waitUntil('the stream is open', async () => {
      const response = await fetch(`${url}${apiPath}/events`, { headers }).catch(() => undefined)
      if (response?.ok) stream = readEvents(response)
      return response?.ok === true
    })

  async function addressOf(id: string): Promise<string> {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}'
    return `http://${await docker('inspect', '--format', format, id)}:3000`
  }

  /** Posts a lead to one replica. Returns the milliseconds until the stream has reported a change and the lead is listed. */
  async function timeNewLead(id: string) {
    const count = () => stream?.events.filter((event) => event === streamEvents.change).length ?? 0
    let seen = count()
    const { reference, statuses } = await client.post(await addressOf(id))
    expectThat(reference !== undefined, `the response to the visitor is ${statuses}`)
    const isListed = async () =>
      (await call<LeadPage>('/leads?view=all')).leads.some((lead) => lead.reference === reference)
    return waitUntil('the lead is in the list', async () => {
      if (count() === seen) return false
      seen = count()
      return isListed()
    })
  }

  async function timeNewLeads(ids: readonly string[], atMostMs: number): Promise<string> {
    const times: number[] = []
    for (const id of ids) times.push(await timeNewLead(id))
    const seen = `${times.map((ms) => ms.toFixed()).join(', ')} ms until the new leads were listed`
    expectThat(Math.max(...times) <= atMostMs, seen)
    return seen
  }

  /**
   * Kills the replica that holds the stream, and returns the other replicas. To find it, kills the replicas one by one, and
   * restarts each one that doesn't hold the stream.
   */
  async function killHolder(): Promise<string[]> {
    const ids = await replicas()
    for (const id of ids) {
      await docker('kill', '--signal', 'KILL', id)
      const hasEnded = stream?.closed.then(() => true)
      if (await Promise.race([hasEnded, sleep(NOTICED_MS, false)])) return ids.filter((other) => other !== id)
      await up()
      await waitUntil(
        'the restarted replica is ready',
        async () => isOk(`${await addressOf(id)}/healthz/ready`),
        START_MS,
      )
    }
    throw new Error('The stream stayed open, although each replica was killed once.')
  }

  return {
    async tellAboutLeads() {
      await signIn()
      await openStream()
      return `posted to each replica: ${await timeNewLeads(await replicas(), SHOWN_MS)}`
    },

    async loseReplica() {
      const others = await killHolder()
      const took = await openStream()
      const seen = await timeNewLeads(others, SHOWN_AFTER_LOSS_MS)
      await up()
      for (const id of await replicas())
        await waitUntil(
          'each replica is ready',
          async () => isOk(`${await addressOf(id)}/healthz/ready`),
          START_MS,
        )
      return `a new stream after ${took.toFixed()} ms; ${seen}`
    },

    async answerOnce() {
      const ids = await replicas()
      const { reference = '' } = await client.post(url)
      const answer = { key: randomUUID(), text: 'Yes, in May.', base: null, version: 0 }
      await call(`/leads/${reference}/answers`, answer, await addressOf(ids[0] ?? ''))
      const emails = async () =>
        (await call<LeadDetail>(`/leads/${reference}`)).emails.filter(({ kind }) => kind === 'answer')
      await waitUntil(
        'the answer is written to a file',
        async () => (await emails())[0]?.state === 'file',
        START_MS,
      )
      await sleep(SENT_AGAIN_MS)
      const lines = (await Promise.all(ids.map((id) => docker('logs', id)))).join('\n').split('\n')
      const sent = lines.filter((line) => line.includes('"kind":"answer"') && line.includes('"msg":"sent"'))
      const attempts = (await emails()).flatMap((email) => email.attempts)
      expectThat(sent.length === 1 && attempts.length === 1, `sent ${sent.length} times`)
      return `by one of ${ids.length} replicas, ${attempts.length} attempt`
    },
  }
}
