import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { LeadState } from '#shared/inbox/lead.ts'
import { answerLead } from '../leads/answers/answer-lead.ts'
import { saveDraft } from '../leads/answers/drafts.ts'
import { removeFile } from '../leads/answers/files.ts'
import { undoAnswer } from '../leads/answers/undo-answer.ts'
import { markSeen, noteLead, undoChange, undoNote } from '../leads/change/change-lead.ts'
import { followUp, markLead, markResult, nothingToAnswer } from '../leads/change/mark-lead.ts'
import { noteArrivals } from '../mailbox/arrivals.ts'
import { requeueLead } from '../outbox/resend.ts'
import { useTestApp } from '../proof/testing/build-test-app.ts'
import { anna, answerTools, bob, erase, leadTools, refuse } from '../proof/testing/leads.ts'
import {
  type Answered,
  ada,
  adaAtWork,
  bounceOf,
  carl,
  type Fields,
  mailboxTools,
  mallory,
} from '../proof/testing/mailbox.ts'
import { outboxTools } from '../proof/testing/outbox.ts'
import { signIn } from '../proof/testing/owner-browser.ts'
import { createFollowUps } from '../reminders/follow-ups.ts'
import { createReminders } from '../reminders/reminders.ts'

const site = useTestApp({ mailTo: [anna, bob], sendsReceipts: true })
const { read } = leadTools(site)
const { attach } = answerTools(site)
const { answered, deliver, takeIn } = mailboxTools(site)
const { deliver: send } = outboxTools(site)

const partner = 'partner@example.com'
const recipients = { addresses: [anna, bob], webhook: undefined }

/** A conversation of a visitor who has this name. */
type Talk = Answered & { name: string; file: string }

const emailOf = (name: string) => ({ ada, carl })[name] ?? partner

/** The fields that every change needs. */
const change = async ({ reference }: Answered, who = anna) => ({
  reference,
  who,
  version: (await read(reference)).version,
})

/** Has something of everything, and waits for an answer, because the last one came back. */
async function talkWith(name: string): Promise<Talk> {
  const email = emailOf(name)
  const lead = await answered({ email, firstName: name, message: `A request of ${name}` })
  const { reference, answers } = lead
  await takeIn({ from: email, answers, text: `When, asks ${name}.`, attachments: [`plan of ${name}.pdf`] })
  await takeIn({ from: partner, answers, text: `And how, asks the partner of ${name}.` })
  const files = [await attach(reference, `quote for ${name}.pdf`, Buffer.from('1'))]
  const answer = { key: crypto.randomUUID(), text: `Soon, ${name}.`, base: null, files }
  await answerLead(site.inboxDeps, { ...(await change(lead)), ...answer })
  site.advanceClock(60_000)
  const sent = (await deliver()).find(({ text }) => text.startsWith(answer.text))
  await takeIn({ from: '', body: bounceOf(sent?.messageId ?? '').replaceAll(ada, email) })
  await noteLead(site.inboxDeps, { reference, who: anna, text: `Note about ${name}`, key: `note of ${name}` })
  // Bob's drafts have the same words. Anna's has those of the answer that came back.
  await saveDraft(site.inboxDeps, { ...(await change(lead, bob)), base: null, text: 'Dear' })
  const file = await attach(reference, `new for ${name}.pdf`, Buffer.from('2'))
  await deliver()
  return { ...lead, name, file }
}

/** All that is stored about a lead. */
async function rowsOf({ id }: Answered) {
  const { db } = site
  const emails = db.selectFrom('outbox').select('id').where('lead_id', '=', id)
  const files = db.selectFrom('files').select('id').where('lead_id', '=', id)
  const of = (table: 'lead_events' | 'outbox' | 'files' | 'lead_drafts' | 'lead_texts') =>
    db.selectFrom(table).selectAll().where(sql.ref('lead_id'), '=', id).execute()
  const tables = {
    leads: await db.selectFrom('leads').selectAll().where('id', '=', id).execute(),
    events: await of('lead_events'),
    emails: await of('outbox'),
    attempts: await db.selectFrom('outbox_attempts').selectAll().where('outbox_id', 'in', emails).execute(),
    files: await of('files'),
    parts: await db.selectFrom('file_parts').selectAll().where('file_id', 'in', files).execute(),
    drafts: await of('lead_drafts'),
    texts: await of('lead_texts'),
  }
  // Only SQLite returns rows in the order in which they were stored.
  return Object.entries(tables).flatMap(([table, rows]) =>
    rows.map((row) => `${table}: ${JSON.stringify(row)}`).sort(),
  )
}

type Act = (lead: Talk) => Promise<unknown>

const marked =
  (...states: LeadState[]): Act =>
  async (lead) => {
    for (const state of states) await markLead(site.inboxDeps, { ...(await change(lead)), state })
  }
const wrote =
  (fields: Fields, folder?: 'sent'): Act =>
  ({ answers }) =>
    takeIn({ answers, ...fields }, folder)
const sends =
  (changes = {}): Act =>
  async (lead) => {
    const answer = { key: 'second', text: 'Yes.', base: null, ...changes }
    await answerLead(site.inboxDeps, { ...(await change(lead)), ...answer })
  }
const then =
  (...acts: Act[]): Act =>
  async (lead) => {
    for (const act of acts) await act(lead)
  }
const undoes: Act = ({ reference }) => undoAnswer(site.inboxDeps, { reference, who: anna, key: 'second' })
const passes: Act = async () => site.advanceClock(60_000)

const acts: Record<string, Act> = {
  'is marked as answered': marked('answered'),
  'is spam, and then not': marked('spam', 'open'),
  'is won': async (lead) => markResult(site.inboxDeps, { ...(await change(lead)), result: 'won' }),
  'gets a follow-up': async (lead) =>
    followUp(site.inboxDeps, { ...(await change(lead)), at: '2026-04-02T15:00:00Z' }),
  'needs no answer': async (lead) => nothingToAnswer(site.inboxDeps, await change(lead)),
  'is marked, which is undone': then(marked('answered'), async (lead) =>
    undoChange(site.inboxDeps, await change(lead)),
  ),
  'is opened': ({ reference }) => markSeen(site.inboxDeps, { reference, who: anna }),
  'loses a note': ({ reference }) => undoNote(site.inboxDeps, { reference, who: anna, key: 'note of ada' }),
  'loses a draft': async (lead) =>
    saveDraft(site.inboxDeps, { ...(await change(lead, bob)), base: 'Dear', text: '' }),
  'loses a file': ({ reference, file }) => removeFile(site.inboxDeps, { reference, who: anna, id: file }),
  'gets an answer': then(sends(), passes, deliver),
  'gets an answer with a file': (lead) => then(sends({ files: [lead.file] }), passes, deliver)(lead),
  'gets an answer to another address': sends({ to: adaAtWork }),
  'gets an answer with a file, which is undone': (lead) => then(sends({ files: [lead.file] }), undoes)(lead),
  'gets an answer that is refused': then(sends(), passes, () => send(refuse('550 5.7.1 no'))),
  'gets a reply': wrote({ text: 'Next week?' }),
  'gets a reply of somebody else': wrote({ from: mallory, text: 'I am new here.' }),
  'gets an automatic reply': wrote({ headers: 'Auto-Submitted: auto-replied', text: 'Away.' }),
  'is answered from an email program': wrote({ from: anna, to: ada, text: 'Yes.' }, 'sent'),
  'loses its person': () => erase(site, ada),
  'loses somebody who has replied': async (lead) => {
    const text = 'I am new here, and have a question.'
    await wrote({ from: mallory, text })(lead)
    const draft = { base: 'Dear', text: `You wrote:\n> ${text}` }
    await saveDraft(site.inboxDeps, { ...(await change(lead, bob)), ...draft })
    await erase(site, mallory)
  },
  'loses somebody who has got a file': async (lead) => {
    await wrote({ from: mallory, text: 'I am new here.' })(lead)
    await then(sends({ to: mallory, files: [lead.file] }), passes, deliver, () => erase(site, mallory))(lead)
  },
  'gets a reply for which there is no room': then(wrote({ text: 'Next week?' }), () =>
    send(async () => ({ unsent: 'listed' })),
  ),
  'is reminded of': async ({ reference }) => {
    site.clock.now = new Date(Date.parse((await read(reference)).due_at) - 30 * 60_000)
    await createReminders(site.context)()
  },
  'has a follow-up that comes': async (lead) => {
    await followUp(site.inboxDeps, { ...(await change(lead)), at: '2026-03-02T18:00:00Z' })
    site.clock.now = new Date('2026-03-02T18:01:00Z')
    await createFollowUps(site.context)()
  },
  'has emails sent again': ({ id }) => requeueLead(site.db, id, site.clock.now, recipients),
  'has a notice that has arrived': ({ notice }) =>
    noteArrivals(site.db, [{ messageId: notice, receivedAt: site.clock.now.toISOString() }], 'inbox'),
}

test.each(Object.entries(acts))(
  'nothing stored about a lead changes if another one %s',
  async (_what, act) => {
    const other = await talkWith('carl')
    // So that neither its promise nor its follow-up comes.
    await followUp(site.inboxDeps, { ...(await change(other)), at: '2026-05-04T15:00:00Z' })
    const lead = await talkWith('ada')
    const [own, others] = [await rowsOf(lead), await rowsOf(other)]

    await act(lead)

    expect(await rowsOf(lead)).not.toEqual(own)
    expect(await rowsOf(other)).toEqual(others)
  },
)

test('what an owner reads about a lead says nothing of another one', async () => {
  const [first, second] = [await talkWith('carl'), await talkWith('ada')]
  const inbox = await signIn(site, undefined, anna)
  const readAll = async ({ reference }: Talk) => {
    const paths = ['', '/events?before=1000000', '/person?format=json', '/person?format=html']
    const pages = await Promise.all(paths.map((path) => inbox.get(`/leads/${reference}${path}`)))
    expect(pages.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    return pages.map(({ text }) => text).join()
  }
  const { leads } = (await inbox.get('/leads')).body
  const rows = (name: string) => leads.filter((row: unknown) => JSON.stringify(row).includes(name))

  expect(await readAll(first)).not.toMatch(/\bada\b/i)
  expect(await readAll(second)).not.toMatch(/\bcarl\b/i)
  expect([rows('carl'), rows('ada')]).toMatchObject([
    [{ reference: first.reference }],
    [{ reference: second.reference }],
  ])
  const waits = ['Note about ada', 'When, asks ada.', 'Soon, ada.', 'plan of ada.pdf']
  const read = await readAll(second)
  expect(waits.filter((words) => !read.includes(words))).toEqual([])
})
