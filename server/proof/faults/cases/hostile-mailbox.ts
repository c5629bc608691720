import { readNote, writeNote } from '../../../database/settings.ts'
import { MAX_TRIES } from '../../../mailbox/limits.ts'
import { readSetAside, type SetAside } from '../../../mailbox/set-aside.ts'
import type { Trouble } from '../../../mailbox/trouble.ts'
import { startDovecot } from '../../testing/dovecot.ts'
import { type Mischief, openHostileImap, type When } from '../../testing/hostile-imap.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { control, faultsOf } from '../controls/control.ts'
import type { Weakness } from '../controls/weakenings.ts'
import { expectThat, type FaultCase } from '../fault-case.ts'
import { type Harness, openHarness } from '../harness.ts'
import { verify } from '../verify.ts'

const MINUTE_MS = 60_000
/** An honest reply behind hostile messages is there by then. */
const READ_WITHIN_MS = 2 * MINUTE_MS
/** By then, each message was tried once, and once more after each pause. */
const TRIED_WITHIN_MS = 5 * MINUTE_MS
const MANY_PARTS = 50
/** More than may wait for another try. */
const FAR_PARTS = 60

const mischiefs: [Mischief, When][] = [
  ['answers NO', 'always'],
  ['answers NO', 'beyond headers'],
  ['ends the connection', 'always'],
  ['ends the connection', 'beyond headers'],
  ['says nothing', 'beyond headers'],
  ['has an odd bracket in the list of parts', 'always'],
  ['has an odd bracket in each row', 'always'],
  ['has an odd bracket in each row', 'beyond headers'],
  ['says that a literal is longer', 'beyond headers'],
  ['says that a literal is shorter', 'always'],
  ['says that a literal is shorter', 'beyond headers'],
  ['leaves out what was asked for', 'always'],
  ['leaves out what was asked for', 'beyond headers'],
]

export const hostileMailboxCases: FaultCase[] = [
  {
    family: 'mailbox',
    fault: `${mischiefs.length} messages that the IMAP server cannot show, each in another way, ${MANY_PARTS} with thousands of parts, and ${FAR_PARTS} with them beyond what is read`,
    expected:
      'each is with its lead or named after its first try, and also after its last; an honest reply behind them is there within two minutes',
    needs: ['dovecot'],
    run: () => readHostile(mischiefs, { many: MANY_PARTS, far: FAR_PARTS }),
  },
  {
    family: 'mailbox',
    fault: 'the password of the mailbox has changed for an hour',
    expected: 'each owner gets one email about it, and /healthz/mail says so',
    needs: ['dovecot'],
    run: () => loseMailbox(),
  },
  control({
    what: 'an honest reply behind a hostile message is there',
    weakness: 'reading goes on with the message that cannot be read',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(readHostile([['answers NO', 'always']], {}, weakness)),
  }),
  control({
    what: 'each message is with its lead or named',
    weakness: 'what cannot be read is not noted',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(readHostile([['answers NO', 'always']], {}, weakness)),
  }),
  control({
    what: 'owners hear that the mailbox cannot be read',
    weakness: 'nobody is told that the mailbox cannot be read',
    needs: ['dovecot'],
    check: (weakness) => faultsOf(loseMailbox(weakness)),
  }),
]

async function readHostile(
  hostile: readonly [Mischief, When][],
  { many = 0, far = 0 }: { many?: number; far?: number },
  weakness?: Weakness,
): Promise<string> {
  await using harness = await openHarness()
  await using dovecot = await startDovecot()
  await using imap = await openHostileImap(dovecot.url)
  const start = () => harness.start({ env: { IMAP_URL: imap.url }, weakness })
  let program = await start()
  const isWatched = async () => (await noted(harness, 'mailbox_inbox')) !== undefined
  await waitUntil('the mailbox is watched', isWatched, MINUTE_MS)
  const reply = async (id: string, rest: string) => {
    const email = `${id}@example.com`
    const { reference } = await harness.client.post(program.url, { email })
    return `From: ${email}\r\nSubject: Re: ${reference}\r\nMessage-ID: <${id}@example.com>\r\n${rest}`
  }
  const text = `\r\nWhen can you start?${'\r\nPlease call.'.repeat(20)}\r\n`
  const messages = []
  for (const [index, [mischief, when]] of hostile.entries()) {
    imap.hostile.set(index + 1, { mischief, when })
    messages.push(await reply(`hostile${index}`, text))
  }
  const type = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n'
  const nearParts = type + '--b\r\n\r\nx\r\n'.repeat(11_500)
  const farParts = `${type}--b\r\n\r\n${`${'x'.repeat(78)}\r\n`.repeat(1_700)}${'--b\r\n\r\n\r\n'.repeat(6_000)}`
  for (let index = 0; index < many; index++) messages.push(await reply(`parts${index}`, nearParts))
  for (let index = 0; index < far; index++) messages.push(await reply(`parts${many + index}`, farParts))
  messages.push(await reply('honest', text))
  for (const message of messages) dovecot.deliver(message)

  const isFrom = (id: string) =>
    countOf(harness, `from lead_events where what = 'reply' and who like '${id}%'`)
  const isRead = async () => (await isFrom('honest')) === 1
  const tookMs = await waitUntil('the honest reply is read', isRead, READ_WITHIN_MS)
  await waitUntil(
    'the other replies are read',
    async () => (await isFrom('parts')) === many + far,
    READ_WITHIN_MS,
  )
  const setAside = () => harness.query(({ db }) => readSetAside(db, 'inbox'))
  const isEachNamed = async () => (await isFrom('hostile')) + (await setAside()).length >= hostile.length
  const within = weakness ? READ_WITHIN_MS : TRIED_WITHIN_MS
  await waitUntil('each message is with its lead or named', isEachNamed, within)
  const lines: string[] = []
  for (let tries = 2; tries <= MAX_TRIES; tries++) {
    await program.stop()
    lines.push(...program.lines)
    // As if the pause were over.
    await harness.query(async ({ db }) => {
      const aside = await readNote<{ of: string; messages: SetAside[] }>(db, 'mailbox_aside_inbox')
      const messages = aside?.messages.map((each) => (each.dueAt ? { ...each, dueAt: each.at } : each))
      if (aside) await writeNote(db, 'mailbox_aside_inbox', { ...aside, messages })
    })
    program = await start()
    const isTried = async () => (await setAside()).every((each) => each.tries >= tries)
    await waitUntil(`each message was tried ${tries} times`, isTried, TRIED_WITHIN_MS)
  }
  await waitUntil('each message is with its lead or named', isEachNamed, within)
  lines.push(...program.lines)
  const named = (await setAside()).length
  expectThat(
    (await setAside()).every(({ dueAt }) => dueAt === null),
    'a message waits after its last try',
  )
  const loggedOf = (words: string) =>
    new Set(lines.filter((line) => line.includes(words)).map((line) => /"uid":(\d+)/.exec(line)?.[1])).size
  const given = loggedOf('look at it there')
  expectThat(given === named, `${named} messages given up, ${given} in the log`)
  const waited = loggedOf('cannot be read yet')
  expectThat(waited >= named, `${named} messages given up, ${waited} in the log at their first try`)
  await program.stop()
  await harness.recover()
  const { settings, client, relay } = harness
  const mails = relay.emails.filter(({ messageId }) => !messageId.includes('.reply-'))
  return `honest reply after ${(tookMs / 1000).toFixed(0)} s; ${hostile.length - named} of ${hostile.length} with their leads, ${named} named; ${await verify({ settings, client, mails })}`
}

async function loseMailbox(weakness?: Weakness): Promise<string> {
  await using harness = await openHarness()
  await using dovecot = await startDovecot()
  const url = dovecot.url.replace(/:[^:@]+@/, ':old-password@')
  const owners = ['anna@agency.example', 'ben@agency.example']
  const program = await harness.start({ env: { IMAP_URL: url, MAIL_TO: owners.join() }, weakness })
  const trouble = () => noted<Trouble>(harness, 'mailbox_trouble')
  await waitUntil('the trouble is noted', async () => (await trouble())?.folder === 'inbox', MINUTE_MS)
  const since = new Date(Date.now() - 61 * MINUTE_MS).toISOString()
  await harness.query(async ({ db }) =>
    writeNote(db, 'mailbox_trouble', { ...(await readNote<object>(db, 'mailbox_trouble')), since }),
  )
  const told = () => harness.relay.emails.filter(({ messageId }) => messageId.includes('mailbox-trouble'))
  await waitUntil('the owners are told', () => told().length >= owners.length, 2 * MINUTE_MS)
  const health = await fetch(`${program.url}/healthz/mail`)
  const { status } = (await health.json()) as { status: string }
  expectThat(health.status === 503 && status === 'mailbox', `/healthz/mail: ${health.status} ${status}`)
  await program.stop()
  expectThat(told().length === owners.length, `${told().length} emails`)
  return `${told().length} emails; /healthz/mail: ${status}`
}

const noted = <Note>(harness: Harness, name: string) => harness.query(({ db }) => readNote<Note>(db, name))
const countOf = (harness: Harness, query: string) => harness.query(({ count }) => count(query))
