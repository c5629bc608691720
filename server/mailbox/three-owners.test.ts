import { expect, test } from 'vitest'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { answerTools, erase, leadTools } from '../proof/testing/leads.ts'
import { ada, mailboxTools, us } from '../proof/testing/mailbox.ts'

// Each has a mailbox of their own. The one that is read is shared.
const [anna, ben, cleo] = ['anna@agency.example', 'ben@agency.example', 'cleo@agency.example']
const site = useTestApp({ mailTo: [anna, ben, cleo] })
const { history, read } = leadTools(site)
const { answer } = answerTools(site)
const { answered, deliver, everything, takeIn } = mailboxTools(site)

test('a former colleague with an address of our domain writes to a group like any other customer', async () => {
  const dora = 'dora@agency.example'
  const { reference } = await answered({ email: dora })
  const group = { from: dora, headers: `Precedence: list\nX-Original-Sender: ${dora}` }

  await takeIn({ ...group, text: 'A new email.' })
  await takeIn({ ...group, text: 'By reference.', subject: `Re: ${reference}` })

  const replies = (await history(reference)).filter(({ what }) => what === 'reply')
  expect(replies.map(({ text }) => text)).toEqual(['A new email.', 'By reference.'])
})

test('what an owner writes from the shared mailbox to another one about his notice is no answer', async () => {
  const { answers, id } = await answered()
  await takeIn({ answers })
  const before = await everything()
  const notice = before.emails.find(({ lead_id, recipient }) => lead_id === id && recipient === ben)

  // Some mail services keep what we have sent, so it can be answered there.
  const text = 'Ben, can you take this one?'
  await takeIn({ from: us, to: ben, answers: String(notice?.message_id), text }, 'sent')

  expect(await everything()).toEqual(before)
})

test("an owner's answer in a conversation that began in the shared mailbox counts, with a copy to that", async () => {
  const { reference } = await answered()
  const begin = '<quote@agency.example>'
  await takeIn({ from: us, to: ada, id: begin, text: 'Here is your quote.' }, 'sent')
  await takeIn({ answers: begin, id: '<when@example.com>', to: `${us}, ${ben}`, text: 'When?' })

  const answer = { to: `${ada}\nCc: ${us}`, answers: `${begin} <when@example.com>`, text: 'On Monday.' }
  await takeIn({ from: ben, ...answer })

  expect((await history(reference)).at(-1)).toMatchObject({ what: 'answered_by_mail', who: ben })
  expect((await read(reference)).state).toBe('answered')
})

test('a reply that a mail server has passed on in another form is the same one, unless it says more', async () => {
  const { answers, reference } = await answered()
  const redirected = (text: string, boundary: string) =>
    `Content-Type: multipart/alternative; boundary=${boundary}\n\n--${boundary}\n\n${text}\n--${boundary}--\n`
  const copy = (text: string, boundary: string) =>
    takeIn({ id: '<all@example.com>', answers, body: redirected(text, boundary) })
  const text = `Can you start on Monday at nine in the morning?\n\nAnna at Plumbline <${us}> wrote:\n> Yes, we can.`
  await copy(text, 'sender')
  await answer(reference, { key: crypto.randomUUID(), text: 'Yes.' })
  const before = await everything()

  // Cleo is on vacation, and has her mail sent on. Ada had replied to all.
  await copy(text, 'exchange')
  expect(await everything()).toEqual(before)

  await copy('At ten.', 'forger')
  expect((await history(reference)).at(-1)).toMatchObject({ what: 'reply', text: 'At ten.' })
})

test.each([
  ['looks automatic', 'Auto-Submitted: auto-replied', []],
  ['has other files of the same names', 'X-Mailer: x', ['brief.pdf']],
])(
  'a message hides none with the same ID and words if it came first and %s',
  async (_what, headers, files) => {
    const { answers, reference } = await answered()
    const said = { answers, id: '<all@example.com>', text: 'Here is our brief.', attachments: files }
    // Ada had replied to all, of whom one could forge her address.
    await takeIn({ ...said, body: `\n${said.text}\n\n`, headers })
    await takeIn(said)

    expect((await history(reference)).at(-1)).toMatchObject({ what: 'reply', text: said.text })
    expect((await everything()).events.filter(({ received }) => received?.includes('all@'))).toHaveLength(2)
    expect((await read(reference)).state).toBe('open')
  },
)

test('after the first owner was replaced, what was sent before is still known as quoted', async () => {
  const { answers, reference } = await answered()
  await takeIn({ answers, text: 'When can you start?' })
  const notice = (await deliver()).find(({ to, text }) => to === ben && text.includes('When can'))
  Object.assign(site.context.env, { MAIL_TO: ['dora@agency.example', ben, cleo] })

  const quoted = `Plumbline website <${us}> wrote:\n${notice?.text.replace(/^/gm, '> ')}`
  const ids = { answers: String(notice?.messageId), to: `${ada}\nCc: ${us}` }
  await takeIn({ from: ben, ...ids, text: `On Monday.\n\n${quoted}` })

  expect((await history(reference)).at(-1)).toMatchObject({ who: ben, text: 'On Monday.' })
})

test('whoever goes on where an erased person began is in a lead of their own, if there is one', async () => {
  const { answers } = await answered()
  const friend = 'fred@example.com'
  // She had forwarded our answer.
  await takeIn({ from: friend, answers, text: 'What would a shop for me cost?' })
  const { reference } = await answered({ email: friend, message: 'A shop.' })
  await erase(site, ada)

  await takeIn({ from: friend, answers, text: 'And when could you start?' })
  await takeIn({ from: 'eve@example.com', answers })

  const [last, ...others] = (await history(reference)).toReversed()
  expect(last).toMatchObject({ what: 'reply', who: friend, text: 'And when could you start?' })
  expect(others.some(({ what }) => what === 'reply')).toBe(false)
})
