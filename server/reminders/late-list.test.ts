import { beforeEach, expect, test } from 'vitest'
import { hours } from '#facts/hours.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { markLead } from '../inbox/leads/change-lead.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, leadTools } from '../proof/testing/leads.ts'
import {
  beforeDue,
  closing,
  isList,
  listsIn,
  march,
  OWNERS,
  offline,
  opening,
  reminderTools,
  toOwners,
} from '../proof/testing/reminder-tools.ts'

const site = useTestApp({ mailTo: OWNERS })
const { submit, suspect, read } = leadTools(site)
const { remind, deliver, remindAndSend } = reminderTools(site)

const at = (time: Date) => {
  site.clock.now = time
}
beforeEach(() => at(march('02T10:00')))

const mark = async (reference: string) =>
  markLead(site.inboxDeps, {
    reference,
    who: anna,
    version: (await read(reference)).version,
    state: 'answered',
  })

test('each workday, when the office opens, each owner gets one email that lists the late leads by name', async () => {
  await remind()
  const late = await submit({ company: 'Analytical Roofing' })
  const answered = await submit({ firstName: 'Grace' })
  await suspect(await submit({ firstName: 'Spam' }))
  at(closing('02', -60))
  await submit({ firstName: 'Hedy' })
  await mark(answered)
  const times = {
    ...{ 'Tuesday before opening': opening('03', -1), 'Tuesday at opening': opening('03') },
    ...{ 'Tuesday one minute later': opening('03', 1), 'Tuesday after closing': closing('03') },
    ...{ 'Wednesday at opening': opening('04'), 'Saturday morning': march('07T10:00') },
    'Monday at opening': opening('09'),
  }

  const lists: string[] = []
  const texts: string[] = []
  for (const [name, time] of Object.entries(times)) {
    at(time)
    await remind(2)
    const sent = await deliver()
    lists.push(...listsIn(sent).map((list) => `${name} ${list}`))
    texts.push(...sent.map(({ text }) => text))
  }

  const promised = `Reply promised by ${officeTimeInWords(beforeDue(0))} (${late})`
  expect(texts[0]).toContain(
    `Ada Lovelace, Analytical Roofing\n  ${promised}\n  https://agency.example/inbox/${late}\n\n`,
  )
  expect(texts[0]).not.toMatch(/Grace|Hedy|Spam/)
  expect(lists).toEqual([
    ...OWNERS.map((owner) => `Tuesday at opening ${owner}: 1 person is still waiting for a promised reply`),
    ...['Wednesday', 'Monday'].flatMap((day) =>
      OWNERS.map((owner) => `${day} at opening ${owner}: 2 people are still waiting for a promised reply`),
    ),
  ])
})

test('a queued list of late leads leaves out answered ones, and is not sent if it is empty', async () => {
  await remind()
  const [first, second] = [await submit(), await submit({ firstName: 'Grace' })]
  at(opening('03'))
  await remind()
  await deliver(offline)
  await mark(first)
  at(opening('03', 30))
  const sent = await deliver()
  expect(listsIn(sent)).toEqual(toOwners('1 person is still waiting for a promised reply'))
  expect(sent.find(isList)?.text).toContain('Grace')

  at(opening('04'))
  await remind()
  await mark(second)
  expect(listsIn(await deliver())).toEqual([])
})

const [tuesday, wednesday] = [`03T${hours.opens}`, `04T${hours.opens}`]
test.each([
  ['forward and back', ['03T10:00', '04T10:00', '03T10:30', wednesday], ['03T10:00', '04T10:00']],
  ['a year ahead and back', [tuesday, '03T10:00', wednesday], [tuesday, wednesday]],
])('if the clock jumps %s, exactly one list is still sent each workday', async (how, times, expected) => {
  await remind()
  await submit()
  const lists: string[] = []
  for (const time of times) {
    at(march(time))
    if (listsIn(await remindAndSend()).length > 0) lists.push(time)
    if (how.includes('year') && time === '03T10:00') {
      at(new Date('2027-03-03T15:00Z'))
      await remindAndSend()
    }
  }
  expect(lists).toEqual(expected)
})
