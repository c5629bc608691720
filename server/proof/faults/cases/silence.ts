import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { brand } from '#facts/brand.ts'
import { type ContactRequest, contactPath } from '#shared/contact-request.ts'
import { isSuspect } from '../../../leads/spam-score.ts'
import type { KeptEmail } from '../../testing/relay.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { newAnswer, openOwnerClient } from '../owner-client.ts'
import { createTimeline, type Timeline } from '../timeline.ts'

/** What strangers do, and what the mail server does. */
type Attack = {
  /** Owners have marked 60 fakes as spam that read like honest requests. */
  isPoisoned?: boolean
  /** One network sends requests for ten hours, then 40 do in one minute. The mail server accepts 300 emails a day. */
  isFlooded?: boolean
  /** Each request contains text for which the mail server refuses an email. */
  isRefused?: boolean
}
type Request = Omit<ContactRequest, 'website'>
type Scene = { harness: Harness; timeline: Timeline; honest: string[]; found: Set<string> }

const OWNERS = [brand.email, 'second.owner@agency.example']
const EMAILS_A_DAY = 300
const HOURS = 10
const POSTS_OF_EACH = 5
const STRANGERS = 40
const WITHIN_MS = 60_000
const MAX_SUSPECTS = 1
const REFUSED_WORD = 'Quetzalcoatl'
const what =
  'every owner gets an email that names each honest lead within an hour, and a code and an answer are sent within a minute'

const [poisoned, flooded, refused] = [{ isPoisoned: true }, { isFlooded: true }, { isRefused: true }]
const flood = `one network sends requests for ${HOURS} hours, then ${STRANGERS} do in a minute, and the mail server accepts ${EMAILS_A_DAY} emails a day`

// Not in the short run, because notice-list.test.ts, poisoned-words.test.ts and refused-content.test.ts check this, too.
const shared = { needs: ['faketime'], isLong: true } as const

export const silence: FaultCase[] = [
  attack('owners mark 60 fakes as spam', poisoned),
  attack(flood, flooded),
  attack('the mail server refuses whatever contains text of visitors', refused),
  attack('all three at once', { ...poisoned, ...flooded, ...refused }),
  sabotaged('marked spam counts as much as the samples', poisoned),
  sabotaged('any number of notices', flooded),
  sabotaged('no reserve for codes and answers', flooded),
  sabotaged('refused emails are sent again with the same text', refused),
]

function attack(fault: string, attack: Attack): FaultCase {
  return {
    ...shared,
    family: 'silence',
    fault,
    expected: what,
    async run() {
      const { found, seen } = await endure(attack)
      expectThat(found.length === 0, found.join('; '))
      return seen
    },
  }
}

function sabotaged(weakness: Weakness, attack: Attack): FaultCase {
  return control({
    ...shared,
    what,
    weakness,
    check: async (removed) => (await endure(attack, removed)).found,
  })
}

async function endure(attack: Attack, weakness?: Weakness) {
  await using harness = await openHarness()
  using timeline = createTimeline(harness, {
    env: {
      MAIL_TO: OWNERS.join(','),
      TRUST_PROXY: '1',
      CONTACT_LIMIT: '20',
      // In the other attacks, every lead gets an email of its own.
      EMAILS_A_DAY: String(attack.isFlooded ? EMAILS_A_DAY : 0),
    },
    ...(weakness && { weakness }),
  })
  const scene = { harness, timeline, honest: [], found: new Set<string>() }
  const write = (request: Request) => (attack.isRefused ? { ...request, lastName: REFUSED_WORD } : request)
  const [fakes, ordinary] = [readRequests('fakes').map(write), readRequests('ordinary').map(write)]
  if (attack.isPoisoned) await poison(scene, fakes)
  harness.relay.refuse(refuses(attack, harness.relay.emails))
  const emailsBefore = harness.relay.emails.length

  if (attack.isFlooded) await sendFromOneNetwork(scene, fakes, ordinary)
  const url = await timeline.goTo('2026-03-02T18:30Z')
  if (attack.isFlooded) await sendFromMany(scene, url, fakes, ordinary)
  await postHonest(scene, url, ordinary.splice(0))
  await signInAndAnswer(scene, url)
  for (const time of ['18:45', '19:28']) await timeline.goTo(`2026-03-02T${time}Z`)
  await findUnnamed(scene, 'an hour later')
  const emails = harness.relay.emails.length - emailsBefore
  await findSuspects(scene)
  if (attack.isRefused) await findMissingReports(scene)
  return {
    found: [...scene.found],
    seen: `${scene.honest.length} honest leads, all named; ${emails} emails in a day`,
  }
}

/** The mail server's reply to an email that it refuses. */
const refuses = ({ isRefused, isFlooded }: Attack, emails: readonly KeptEmail[]) => {
  const before = emails.length
  return ({ text }: KeptEmail) => {
    if (isRefused && text.replaceAll('=\n', '').includes(REFUSED_WORD)) return '554 5.7.1 Content rejected'
    if (isFlooded && emails.length - before >= EMAILS_A_DAY)
      return '550 5.4.5 Daily user sending limit exceeded'
    return undefined
  }
}

/** Sends all fakes, each from its own network, on the day before. An owner marks them as spam. */
async function poison({ harness, timeline }: Scene, fakes: readonly Request[]) {
  const url = await timeline.goTo('2026-03-01T10:00Z')
  const owner = await openOwnerClient(harness, url)
  for (const [index, fake] of fakes.entries()) {
    const isMarked = await owner.mark(url, await post(url, `30.${index}.0.1`, fake), 'spam')
    expectThat(isMarked, `fake ${index} could not be marked`)
  }
}

async function sendFromOneNetwork(scene: Scene, fakes: readonly Request[], ordinary: Request[]) {
  for (let hour = 0; hour < HOURS; hour++) {
    const day = `2026-03-02T${String(8 + hour).padStart(2, '0')}`
    const url = await scene.timeline.goTo(`${day}:00Z`)
    const sent = hour * POSTS_OF_EACH
    for (const fake of fakes.slice(sent, sent + POSTS_OF_EACH)) await post(url, '40.0.0.1', fake)
    await postHonest(scene, url, ordinary.splice(0, 1))
    await scene.timeline.goTo(`${day}:58Z`)
    await findUnnamed(scene, `at ${day}:58`)
  }
}

async function sendFromMany(scene: Scene, url: string, fakes: readonly Request[], ordinary: Request[]) {
  for (let index = 0; index < STRANGERS * POSTS_OF_EACH; index++) {
    const fake = fakes[index % fakes.length] as Request
    // No two are alike.
    const request = { ...fake, email: `stranger-${index}@example.com`, message: `${fake.message} ${index}` }
    await post(url, `50.${index % STRANGERS}.0.1`, request)
    if (index % POSTS_OF_EACH === 0) await postHonest(scene, url, ordinary.splice(0, 1))
  }
}

/** Sends honest requests, each from its own network. */
async function postHonest({ honest }: Scene, url: string, requests: readonly Request[]) {
  for (const request of requests) honest.push(await post(url, `20.${honest.length}.0.1`, request))
}

/** Sends a request from a network, and returns its reference. */
async function post(url: string, address: string, request: Request): Promise<string> {
  const response = await fetch(url + contactPath, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': address },
    body: JSON.stringify(request),
  })
  const { reference } = (await response.json()) as { reference?: string }
  expectThat(reference !== undefined, `${response.status} for a request from ${address}`)
  return reference
}

async function signInAndAnswer({ harness, honest, found }: Scene, url: string) {
  try {
    const owner = await openOwnerClient(harness, url)
    const answer = newAnswer(honest[0] ?? '')
    await owner.send(url, answer)
    const isSent = () => harness.relay.emails.some(({ text }) => text.includes(answer.key))
    await waitUntil('the answer arrives', isSent, WITHIN_MS)
  } catch (error) {
    found.add((error as Error).message)
  }
}

/** Finds honest leads that no email to an owner names. */
async function findUnnamed({ harness, honest, found }: Scene, when: string) {
  for (const owner of OWNERS) {
    const texts = await textsFor(harness, owner)
    const unnamed = honest.filter((reference) => !texts.some((text) => text.includes(reference)))
    if (unnamed.length > 0) found.add(`${unnamed.length} honest leads not named to ${owner} ${when}`)
  }
}

async function findSuspects({ harness, honest, found }: Scene) {
  const leads = await harness.query(({ db }) =>
    db.selectFrom('leads').select('spam_score').where('reference', 'in', honest).execute(),
  )
  const suspects = leads.filter(({ spam_score }) => isSuspect(spam_score)).length
  if (suspects > MAX_SUSPECTS) found.add(`${suspects} of ${honest.length} honest leads are suspects`)
}

/** Finds out whether the list of late leads and the weekly report arrive. */
async function findMissingReports({ harness, timeline, found }: Scene) {
  // Lists of late leads begin on the second day.
  for (const day of ['03', '04', '09']) await timeline.goTo(`2026-03-${day}T08:05Z`)
  for (const start of ['<late-', '<digest-'])
    for (const owner of OWNERS)
      if (
        !harness.relay.emails.some((email) => email.recipient === owner && email.messageId.startsWith(start))
      )
        found.add(`no email ${start}…> to ${owner}`)
}

const textsFor = (harness: Harness, owner: string) =>
  Promise.all(
    harness.relay.emails
      .filter(({ recipient }) => recipient === owner)
      .map(async ({ text }) => {
        const { subject, text: body } = await PostalMime.parse(text)
        return `${subject}\n${body}`
      }),
  )

/** Requests by authors who haven't seen the sample messages of the spam filter. */
function readRequests(name: 'fakes' | 'ordinary'): Request[] {
  const file = join(import.meta.dirname, `../../testing/corpus/${name}.json`)
  return JSON.parse(readFileSync(file, 'utf8'))
}
