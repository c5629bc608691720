import PostalMime from 'postal-mime'
import { expect, test } from 'vitest'
import { formatMoney } from '#shared/money.ts'
import { officeTimeInWords } from '#shared/office-time-in-words.ts'
import { emailBytes } from '../../proof/testing/email-bytes.ts'
import { suspectReasonsIn } from '../../proof/testing/inbox.ts'
import { sampleNotice } from '../../proof/testing/sample-notice.ts'
import { sampleBudget, samplePlan } from '../../proof/testing/sample-plan.ts'
import { sampleRequest } from '../../proof/testing/sample-request.ts'
import { SUSPECT_FROM } from '../../spam/spam-score.ts'

/** The notice as an email program reads it. */
const read = async (notice = sampleNotice()) => PostalMime.parse(await emailBytes(notice))

test('a notice comes from our address, directs replies to the visitor, and shows all eight fields, as text and as HTML, but not where the visitor came from', async () => {
  const received = await read()

  const { setup, monthly } = samplePlan
  expect(received.from?.address).toBe('site@agency.example')
  expect(received.replyTo?.map((address) => address.address)).toEqual(['ada@example.com'])
  expect(received.subject).toBe('Ada Lovelace: quote request Q-7K3M-9QXD')
  const { subject } = await read(sampleNotice({ lastName: ` \n${'🙂'.repeat(100)}` }))
  expect(subject).toBe(`Ada ${'🙂'.repeat(96)}: quote request Q-7K3M-9QXD`)
  for (const body of [received.text, received.html]) {
    for (const value of Object.values(sampleRequest({ budget: '', message: '' })))
      expect(body).toContain(value)
    expect(body).toContain(
      `${sampleBudget}; plan: ${formatMoney(setup)} setup and ${formatMoney(monthly)} a month`,
    )
    expect(body).toMatch(/We need a new site\.\n *When can you start\?/)
    expect(body).toContain('Q-7K3M-9QXD')
    // An owner's reply quotes it.
    expect(body).not.toMatch(/Source|search\.example/)
    expect(body).toContain(officeTimeInWords(Date.parse('2026-03-02T15:00Z')))
    expect(body).toContain(`By ${officeTimeInWords(Date.parse('2026-03-02T19:00Z'))}`)
  }
})

test('a notice that is sent again names a plan that the agency no longer has by its ID', async () => {
  const { text } = await read(sampleNotice({ budget: 'last-year' as never }))

  expect(text).toMatch(/^Budget:? +last-year$/m)
})

test("only the visitor's own words and facts stand above the signature line, and in the HTML above all links", async () => {
  const { text = '', html = '' } = await read(sampleNotice({ website: 'none' }))

  const [above = '', below] = text.split('\n-- \n')
  expect(above).not.toMatch(/:\/\/|By |Request|inbox|answered/)
  expect(below).toMatch(/^By Monday.*\nReply: .*\nCall: .*\nOpen .*\nI answered this: .*\nRequest Q-/)
  expect(html.indexOf('<a ')).toBeGreaterThan(html.indexOf('By Monday'))
  expect(html.indexOf('By Monday')).toBeGreaterThan(html.lastIndexOf('</table>', html.indexOf('<a ')))
  expect(text + html).not.toMatch(/promise|suspect|lead\b/i)
})

test('a visitor whose name is the reference of another request does not make replies belong to that', async () => {
  const { subject = '' } = await read(
    sampleNotice({ firstName: 'Q-AAAA-AAAA', lastName: 'Q\u200b-BBBB-BBBB' }),
  )

  expect(subject.match(/\bQ-\w{4}-\w{4}\b/g)).toEqual(['Q-7K3M-9QXD'])
})

test('text and HTML have links to reply, to call and to open the inbox', async () => {
  const { text = '', html = '' } = await read()
  const links = [
    ['Reply', 'https://agency.example/inbox/Q-7K3M-9QXD?open=reply'],
    ['Call', 'tel:3125550199'],
    ['Open in the inbox', 'https://agency.example/inbox/Q-7K3M-9QXD'],
    ['I answered this', 'https://agency.example/inbox/Q-7K3M-9QXD?open=done'],
  ]
  expect([...html.matchAll(/<a href="(.*?)".*?>(.*?)<\/a>/g)].map(([, to, name]) => [name, to])).toEqual(
    links,
  )
  expect(text).toContain(links.map(([name, to]) => `\n${name}: ${to}`).join(''))
})

test('without a phone number, a notice has no link to call, and without an inbox, it has no link to open one', async () => {
  const email = "o'ne&two?x=y@example.com"
  const notice = sampleNotice({ phone: 'after 5pm', email, website: '' }, false)
  const { text, html = '' } = await read(notice)
  expect([...html.matchAll(/<a href="(.*?)"/g)].map(([, to]) => to)).toEqual([
    'mailto:o&#39;ne%26two%3Fx%3Dy@example.com?subject=Your%20request%20Q-7K3M-9QXD',
  ])
  expect(text).not.toMatch(/tel:|Website/)
  expect(text).toContain("\nReply: mailto:o'ne%26two%3Fx%3Dy@example.com?subject=")
  // Without the words, which a mail server has refused.
  expect(sampleNotice({ message: '' }, false).text).toContain('Read it with "leads show Q-7K3M-9QXD"')
})

test('a notice about suspected spam says so only in headers, which replies do not quote, and promises nothing', async () => {
  const reasons = ['A field that people cannot see was filled in', 'Reads like an <offer>']

  const received = await read(sampleNotice({ spam: { score: SUSPECT_FROM, reasons, isSuspect: true } }))

  const { subject, text, html, from } = received
  expect(subject).toBe('Ada Lovelace: quote request Q-7K3M-9QXD')
  expect(`${subject} ${text} ${html} ${from?.name}`).not.toMatch(
    /suspect|spam|people cannot see|offer|promised/i,
  )
  expect(received.headers).toContainEqual(expect.objectContaining({ key: 'importance', value: 'low' }))
  expect(suspectReasonsIn(received)).toBe(`${SUSPECT_FROM} points; ${reasons.join('; ')}`)
  expect(text).toMatch(/^ {2}We need a new site\..*\n-- \nOpen in the inbox:.*\nReply:.*\nCall:/s)
  expect(received.headers).toContainEqual(
    expect.objectContaining({ key: 'x-auto-response-suppress', value: 'OOF, AutoReply' }),
  )
})

test.each(['message', 'lastName', 'company'])(
  'in the plain text, the %s is indented, so that it cannot imitate the links',
  (field) => {
    const link = 'Open in the inbox: https://phishing.example'

    const { text } = sampleNotice({ firstName: '', [field]: link })

    expect(text).toMatch(/^ {2}.*phishing/m)
    expect(text).not.toMatch(/^\S.*phishing/m)
  },
)
