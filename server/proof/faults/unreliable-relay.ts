import { setTimeout as sleep } from 'node:timers/promises'
import { hangUp, type Relay, type Stage, stages } from '../testing/relay.ts'

const MAX_PAUSE_MS = 2000
const SLOW_REPLY_MS = 300
const HEALTHY_SHARE = 0.4

/** Permanent refusals (5xx) by real mail servers for causes that an operator can fix, such as a full mailbox. */
export const fixableRefusals: readonly (readonly [Stage, string])[] = [
  ['dot', '550 5.4.5 Daily user sending limit exceeded'],
  ['dot', '554 5.7.1 The from address does not match a verified Sender Identity'],
  ['dot', '554 5.2.252 SendAsDenied; not allowed to send as this sender'],
  ['dot', '550 5.7.501 Service unavailable. Access denied, spam abuse detected from the range'],
  ['rcpt', '550 relay not permitted'],
  ['rcpt', '550 Authentication required'],
  ['rcpt', "553 sorry, that domain isn't in my list of allowed rcpthosts (#5.7.1)"],
  ['rcpt', '552 5.2.2 The mailbox is full'],
]

export const randomItem = <Item>(items: readonly Item[]): Item =>
  items[Math.floor(Math.random() * items.length)] as Item

/** Makes the mail server fail in a random way. Some ways refuse only emails to `lastRecipient`. */
function misbehave(relay: Relay, lastRecipient: string) {
  const stage = randomItem(stages)
  const [refusedAt, refusal] = randomItem(fixableRefusals)
  const ways = [
    () => {
      for (const slow of stages)
        relay.misbehave(slow, () => sleep(Math.random() * SLOW_REPLY_MS, relay.usual[slow]))
    },
    () => relay.misbehave(stage, () => undefined),
    () => relay.misbehave(stage, '451 4.3.0 later'),
    () => relay.misbehave(stage, '421 4.3.2 going down'),
    () => relay.misbehave(stage, hangUp),
    () => relay.misbehave('dot', hangUp),
    () => relay.misbehave(refusedAt, refusal),
    () => relay.misbehave(refusedAt, refusal),
    () => refuseOne(relay, lastRecipient, '550 5.1.1 no such user here'),
    () => refuseOne(relay, lastRecipient, '450 4.2.1 try again later'),
  ]
  randomItem(ways)()
}

const refuseOne = (relay: Relay, recipient: string, reply: string) =>
  relay.misbehave('rcpt', (_, line) => (line.includes(recipient) ? reply : relay.usual.rcpt))

/** Makes the mail server fail now and then, in random ways, until `isOver()`. Then makes it work normally again. */
export async function makeUnreliable(relay: Relay, lastRecipient: string, isOver: () => boolean) {
  while (!isOver()) {
    relay.heal()
    if (Math.random() > HEALTHY_SHARE) misbehave(relay, lastRecipient)
    await sleep(Math.random() * MAX_PAUSE_MS)
  }
  relay.heal()
}
