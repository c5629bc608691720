import { setTimeout as sleep } from 'node:timers/promises'
import { contactPath } from '#shared/contact-request.ts'
import { apiPath } from '#shared/inbox/api.ts'
import { writeNote } from '../../../database/settings.ts'
import { startDovecot } from '../../testing/dovecot.ts'
import type { KeptEmail } from '../../testing/relay.ts'
import { sampleRequest } from '../../testing/sample-request.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'

const OWNERS = ['anna@agency.example', 'bob@agency.example']
const ENV = { MAIL_TO: OWNERS.join(), MAIL_FROM: 'site@agency.example', TRUST_PROXY: '1' }
const WATCHED_WITHIN_MS = 60_000
const DAY_MS = 24 * 60 * 60_000

const EMAILS_A_DAY = 300
const STRANGERS = { leads: 36, networks: 12, replies: 400 }
const HONEST = { leads: 40, replies: 5 }
// Here, lists come every minute instead of every 45 minutes.
const HOUR_MS = 135_000
const CODE_WITHIN_MS = 60_000
const TURNS = 20
const RETENTION_DAYS = 30

export const strangers: FaultCase[] = [
  {
    family: 'strangers',
    fault: `with a mail server that takes ${EMAILS_A_DAY} emails a day, strangers send ${STRANGERS.leads} requests and ${STRANGERS.replies} replies between ${HONEST.leads} other requests; 45 minutes last one`,
    expected:
      'an owner hears of each other request and reply within an hour, and gets a code within a minute; no email is refused',
    needs: ['dovecot'],
    run: () => flood('lists every minute'),
  },
  control({
    what: 'strangers use up no more than their share of emails',
    weakness: 'lists every minute, and any number of notices of replies',
    needs: ['dovecot'],
    isSqliteOnly: true,
    check: (weakness) => faultsOf(flood(weakness)),
  }),
  {
    family: 'strangers',
    fault: `a visitor and an owner, who uses an email program, write ${TURNS} times each`,
    expected: 'a notice tells the owner of each message',
    needs: ['dovecot'],
    run: () => converse(),
  },
  control({
    what: 'an ordinary exchange has a notice of each message',
    weakness: 'replies count even if they were answered',
    needs: ['dovecot'],
    isSqliteOnly: true,
    check: (weakness) => faultsOf(converse(weakness)),
  }),
  {
    family: 'strangers',
    fault: `RETENTION_DAYS=${RETENTION_DAYS}; of three requests that are a day older, a visitor replies to one, and an owner has answered another`,
    expected: 'only the answered one is deleted; the next reply to the first is stored',
    needs: ['dovecot'],
    run: () => expire(),
  },
  control({
    what: 'a lead is kept if its visitor has written again',
    weakness: 'retention counts from the request, also of leads that wait',
    needs: ['dovecot'],
    isSqliteOnly: true,
    check: (weakness) => faultsOf(expire(weakness)),
  }),
]

type Post = { name: string; network: string }

/** Sends a request from a network. Returns its reference. */
async function post(url: string, { name, network }: Post): Promise<string> {
  const request = sampleRequest({
    firstName: name,
    email: `${name}@example.com`,
    message: `${name} asks for a site`,
  })
  const response = await fetch(url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': network },
    body: JSON.stringify(request),
  })
  const { reference } = (await response.json()) as { reference?: string }
  expectThat(reference !== undefined, `a request got ${response.status}`)
  return reference
}

/** A visitor's email about a request, which may answer another one. */
const reply = (name: string, reference: string, text: string, answers?: string) =>
  [
    ...[`From: ${name}@example.com`, 'To: site@agency.example', `Subject: Re: ${reference}`],
    `Message-ID: <${crypto.randomUUID()}@example.com>`,
    ...(answers ? [`In-Reply-To: ${answers}`] : []),
    ...['', text, ''],
  ].join('\r\n')

/** An owner's answer from an email program. */
const answerTo = (name: string, reference: string, id: string = crypto.randomUUID()) =>
  [
    ...[`From: ${OWNERS[0]}`, `To: ${name}@example.com`, `Subject: Re: ${reference}`],
    ...[`Message-ID: <${id}@agency.example>`, '', 'Yes.', ''],
  ].join('\r\n')

async function openWatched(env: Record<string, string>, weakness?: Weakness) {
  const harness = await openHarness()
  const dovecot = await startDovecot()
  const start = (more = {}) =>
    harness.start({ env: { ...ENV, IMAP_URL: dovecot.url, ...env, ...more }, weakness })
  const program = await start()
  const isWatched = async () =>
    (await harness.query((stored) =>
      stored.count("from settings where name in ('mailbox_inbox', 'mailbox_sent')"),
    )) === 2
  await waitUntil('the mailbox is watched', isWatched, WATCHED_WITHIN_MS)
  return {
    ...{ harness, dovecot, program, start },
    async [Symbol.asyncDispose]() {
      await harness[Symbol.asyncDispose]()
      await dovecot[Symbol.asyncDispose]()
    },
  }
}

const countReplies = (harness: Harness) =>
  harness.query((stored) => stored.count("from lead_events where what = 'reply'"))

const countUntried = (harness: Harness) =>
  harness.query((stored) =>
    stored.count(`from outbox where state in ('queued', 'sending')
      and not exists (select 1 from outbox_attempts where outbox_id = outbox.id)`),
  )

async function flood(weakness: Weakness): Promise<string> {
  await using watched = await openWatched({ EMAILS_A_DAY: String(EMAILS_A_DAY) }, weakness)
  const { harness, dovecot, program } = watched
  const { relay } = harness
  let refused = 0
  relay.misbehave('mail', () => {
    if (relay.emails.length < EMAILS_A_DAY) return relay.usual.mail
    refused++
    return '550 5.4.5 Daily user sending limit exceeded'
  })
  const startedAt = new Map<string, number>()
  const delays: number[] = []
  const isFor = (text: string) => (email: KeptEmail) =>
    email.recipient === OWNERS[0] && email.text.replace(/=\n/g, '').includes(text)
  /** Notes how long it takes until the first owner reads this. */
  const listen = async (text: string) => {
    startedAt.set(text, performance.now())
    delays.push(
      await waitUntil(
        `"${text}" reached an owner`,
        () => refused > 0 || relay.emails.some(isFor(text)),
        2 * HOUR_MS,
      ),
    )
    startedAt.delete(text)
  }

  const bad = await inTurn(STRANGERS.leads, async (index) => {
    const name = `stranger${index}`
    return {
      name,
      reference: await post(program.url, { name, network: `10.1.${index % STRANGERS.networks}.1` }),
    }
  })
  const heard: Promise<void>[] = []
  for (let index = 0; index < STRANGERS.replies; index++) {
    const { name = '', reference = '' } = bad[index % bad.length] ?? {}
    dovecot.deliver(reply(name, reference, `Buy now ${index}`))
    if (index % (STRANGERS.replies / HONEST.leads) > 0) continue
    const honest = `honest${index}`
    const own = await post(program.url, { name: honest, network: `10.2.${heard.length}.1` })
    heard.push(listen(own))
    if (heard.length % (HONEST.leads / HONEST.replies) > 0) continue
    dovecot.deliver(reply(honest, own, `Please call ${honest} back`))
    heard.push(listen(`Please call ${honest} back`))
    await sleep(500)
  }
  await Promise.all(heard)
  await waitUntil(
    'all replies are read',
    async () => refused > 0 || (await countReplies(harness)) >= STRANGERS.replies,
    2 * HOUR_MS,
  )
  // On a busy machine, emails wait. Only once each was tried is it sure that the limit is enough.
  await waitUntil(
    'each email was tried, or one was refused',
    async () => refused > 0 || (await countUntried(harness)) === 0,
    2 * HOUR_MS,
  )
  expectThat(refused === 0, `the mail server refused ${refused} emails: its limit was reached`)
  const codeMs = await askForCode(program.url, relay.emails)
  const slowest = Math.max(...delays)
  expectThat(
    slowest < HOUR_MS,
    `an owner heard of a request or a reply after ${(slowest / 1000).toFixed()} s`,
  )
  expectThat(refused === 0, 'the mail server refused the code: its limit was reached')
  return `${relay.emails.length} emails; the slowest of ${delays.length} after ${(slowest / 1000).toFixed()} s, the code after ${codeMs.toFixed()} ms`
}

async function askForCode(url: string, emails: readonly KeptEmail[]): Promise<number> {
  await fetch(`${url}${apiPath}/sign-in`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Sec-Fetch-Site': 'same-origin',
      'X-Forwarded-For': '10.3.0.1',
    },
    body: JSON.stringify({ email: OWNERS[0] }),
  })
  const isCode = ({ messageId }: KeptEmail) => messageId.startsWith('<sign-in-')
  return waitUntil('the owner has a code', () => emails.some(isCode), CODE_WITHIN_MS)
}

async function inTurn<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  for (let index = 0; index < count; index++) results.push(await work(index))
  return results
}

async function converse(weakness?: Weakness): Promise<string> {
  await using watched = await openWatched({}, weakness)
  const { harness, dovecot, program } = watched
  const reference = await post(program.url, { name: 'ada', network: '10.1.1.1' })
  const isAnswered = async () =>
    (await harness.query((stored) => stored.count("from leads where state = 'answered'"))) === 1
  for (let turn = 1; turn <= TURNS; turn++) {
    const text = `This is question ${turn}.`
    dovecot.deliver(
      reply('ada', reference, text, turn > 1 ? `<answer-${turn - 1}@agency.example>` : undefined),
    )
    const isTold = (email: KeptEmail) => email.messageId.includes('.reply-') && email.text.includes(text)
    await waitUntil(`an owner has a notice of message ${turn}`, () => harness.relay.emails.some(isTold))
    dovecot.deliver(answerTo('ada', reference, `answer-${turn}`), 'Sent')
    await waitUntil(`answer ${turn} is read`, isAnswered)
  }
  return `${TURNS} messages, a notice of each`
}

async function expire(weakness?: Weakness): Promise<string> {
  await using watched = await openWatched({}, weakness)
  const { harness, dovecot, program, start } = watched
  const names = ['replied', 'open', 'answered']
  const references = await inTurn(names.length, (index) =>
    post(program.url, { name: names[index] ?? '', network: '10.1.1.1' }),
  )
  dovecot.deliver(answerTo('answered', references[2] ?? ''), 'Sent')
  dovecot.deliver(answerTo('replied', references[0] ?? ''), 'Sent')
  const answers = () =>
    harness.query((stored) => stored.count("from lead_events where what = 'answered_by_mail'"))
  await waitUntil('the answers are read', async () => (await answers()) === 2)
  await harness.drain(program.url)
  await age(harness)
  dovecot.deliver(reply('replied', references[0] ?? '', 'We want to start now.'))
  await waitUntil('the reply is stored', async () => (await countReplies(harness)) === 1)
  await harness.drain(program.url)
  await program.stop()

  await start({ RETENTION_DAYS: String(RETENTION_DAYS) })
  const kept = () =>
    harness.query((stored) =>
      stored.db
        .selectFrom('leads')
        .select('first_name')
        .where('first_name', 'in', names)
        .orderBy('id')
        .execute(),
    )
  await waitUntil('the answered lead is deleted', async () =>
    (await kept()).every(({ first_name }) => first_name !== 'answered'),
  )
  // Time for the next batch, which would delete the others.
  await sleep(1_000)
  const left = (await kept()).map(({ first_name }) => first_name)
  expectThat(left.join() === 'replied,open', `kept: ${left}`)
  dovecot.deliver(reply('replied', references[0] ?? '', 'When do you come?'))
  await waitUntil('the next reply is stored', async () => (await countReplies(harness)) === 2)
  return 'deleted the answered one; the others are kept, and the next reply is stored'
}

/** Makes everything stored older than RETENTION_DAYS, as if retention had been on all the time. */
async function age({ query }: Harness) {
  const old = new Date(Date.now() - (RETENTION_DAYS + 1) * DAY_MS).toISOString()
  const seenAt = Date.now()
  await query(async ({ db }) => {
    await db.updateTable('leads').set({ created_at: old, client: null }).execute()
    await db.updateTable('lead_events').set({ at: old }).execute()
    await writeNote(db, 'retention_watch', {
      days: RETENTION_DAYS,
      seenAt,
      steadySince: seenAt - 30 * DAY_MS,
    })
  })
}
