import { expect, type Page, type Route } from '@playwright/test'
import {
  type Access,
  CODE_ELSEWHERE,
  CODE_WRONG,
  type Figures,
  readCode,
  type Session,
  type Summary,
} from '#shared/inbox/api.ts'
import { type LeadDetail, type LeadEvent, type LeadView, leadViews, PAGE_SIZE } from '#shared/inbox/lead.ts'
import { largestPlan, samplePlan, smallestPlan } from '../../../server/proof/testing/sample-plan.ts'
import { sampleLeads } from './sample-leads.ts'
import { sampleNow } from './sample-time.ts'

const inMs = (ms: number) => new Date(sampleNow() + ms).toISOString()

const session = (): Session => ({
  id: 'one',
  owner: 'anna@agency.example',
  browser: 'Chrome on Android',
  signedInAt: inMs(-60_000),
  endsAt: inMs(7 * 86_400_000),
  canUsePasskeys: true,
})

const access = (): Access => ({
  sessions: [
    {
      id: 'one',
      owner: 'anna@agency.example',
      browser: 'Chrome on Android',
      seenAt: inMs(-1000),
      isInUse: true,
    },
    {
      id: 'two',
      owner: 'ben@agency.example',
      browser: 'Safari on iPhone',
      seenAt: inMs(-7_200_000),
      isInUse: false,
    },
  ],
  passkeys: [
    {
      id: 'key',
      owner: 'anna@agency.example',
      name: 'Anna’s phone',
      createdAt: inMs(-86_400_000),
      usedAt: null,
    },
  ],
})

const figures = (): Figures => ({
  weeks: Array.from({ length: 12 }, (_, index) => {
    const leads = [4, 6, 5, 9, 7, 3, 8, 11, 9, 12, 10, 5][index] ?? 0
    return {
      week: new Date(Date.UTC(2026, 8, 7) + index * 7 * 86_400_000).toISOString().slice(0, 10),
      leads,
      due: leads,
      answered: Math.max(0, leads - (index % 3)),
      onTime: Math.max(0, leads - (index % 3) - (index % 4)),
      medianMinutesToAnswer: index === 5 ? null : 40 + ((index * 37) % 120),
    }
  }),
  plans: [
    { name: samplePlan.name, leads: 41 },
    { name: smallestPlan.name, leads: 27 },
    { name: 'No plan chosen', leads: 14 },
    { name: largestPlan.name, leads: 7 },
  ],
  sources: [
    { name: 'google.com', leads: 38 },
    { name: 'Google ad', leads: 22 },
    { name: 'Typed in or bookmarked', leads: 17 },
    { name: 'a-very-long-directory-of-roofers.example', leads: 12 },
  ],
})

export type FakeInbox = Awaited<ReturnType<typeof fakeInbox>>

// Pages that already have the fake clock and stream. Once is enough, because Playwright reruns init scripts on navigation.
const prepared = new WeakSet<Page>()

/**
 * Serves the inbox's API from memory, so that tests can show the pages in every state. The event stream reports a change
 * only when a test asks for it.
 */
export async function fakeInbox(page: Page, leads: LeadDetail[] = sampleLeads()) {
  const state = {
    leads,
    session: session() as Session | null,
    access: access(),
    figures: figures(),
    mail: { state: 'ok', since: null, failed: 0 } as Summary['mail'],
    /** All requests that change something, such as "POST /leads/Q-.../state". */
    calls: [] as { call: string; body: Record<string, unknown> }[],
    /** The error response for changes, if a test wants them rejected. */
    refuse: undefined as { status: number; body: object } | undefined,
    /** The lead before the latest change. */
    before: undefined as LeadDetail | undefined,
    /** Whether search results are marked as incomplete. */
    /** What is left after erasing a person's data. */
    remains: {} as { notErased?: string[] },
    code: 'K7MF29QX',
    /** Whether this browser has asked for a code. */
    hasAsked: false,
    /** The owner that a link from the server's shell signs in. */
    linkOwner: 'anna@agency.example',
    /** Notes, and the text of answers, by key. They are needed for undoing. */
    notes: new Map<string, LeadEvent>(),
    answers: new Map<string, string>(),
  }
  if (!prepared.has(page)) {
    await page.clock.install({ time: sampleNow() })
    await page.addInitScript(playStream)
    prepared.add(page)
  }
  await page.route('**/api/**', (route) => respond(route, state))
  return {
    state,
    /** Adds a lead, as if a visitor had just sent it. */
    async arrive(lead: LeadDetail) {
      state.leads.unshift(lead)
      await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
    },
    /** Changes a lead, as if another owner, Ben, had done it. With `isTold: false`, the page gets no change event. */
    async ben(reference: string, done: Partial<LeadEvent>, { isTold = true } = {}) {
      const lead = state.leads.find((one) => one.reference === reference)
      if (!lead) return
      lead.version++
      if (done.to) Object.assign(lead, { state: done.to })
      addEvent(lead, { who: 'ben@agency.example', ...done })
      if (isTold) await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
    },
  }
}

function addEvent(lead: LeadDetail, event: Partial<LeadEvent>): LeadEvent {
  const id = Math.max(0, ...lead.events.map((other) => other.id)) + 1
  const added = {
    id,
    at: inMs(0),
    who: '',
    what: 'state',
    from: null,
    to: null,
    text: null,
    ...event,
  } as const
  lead.events = [added, ...lead.events]
  return added
}

/** Waits until the application has replaced the rows that the first script drew. */
export const waitForApplication = (page: Page) => expect(page.getByRole('main')).toHaveCount(1)

type State = FakeInbox['state']

function playStream() {
  class FakeStream extends EventTarget {
    static readonly CLOSED = 2
    readyState = 1
    onopen?: (event: Event) => void
    constructor() {
      super()
      const say = (name: string) => this.dispatchEvent(new MessageEvent(name, { data: '{}' }))
      setTimeout(() => {
        if (!navigator.onLine) {
          this.readyState = FakeStream.CLOSED
          return void this.dispatchEvent(new Event('error'))
        }
        const opened = new Event('open')
        this.dispatchEvent(opened)
        this.onopen?.(opened)
        say('ping')
      })
      setInterval(() => say('ping'), 5000)
      window.addEventListener('fake-change', () => say('change'))
    }
    close() {
      this.readyState = 2
    }
  }
  Object.assign(window, { EventSource: FakeStream })
}

async function respond(route: Route, state: State) {
  const request = route.request()
  const url = new URL(request.url())
  const path = url.pathname.replace('/api', '')
  const json = (body: unknown, status = 200) =>
    route.fulfill({ status, contentType: 'application/json', body: JSON.stringify(body) })
  const problem = (status: number, detail: string) => json({ status, detail, title: '', type: '' }, status)
  if (path.startsWith('/sign-in')) return signIn(path, request.postDataJSON() ?? {}, { state, json, problem })
  if (!state.session) return problem(401, 'Please sign in.')
  if (request.method() !== 'GET') {
    const body = (request.postDataJSON() ?? {}) as Record<string, unknown>
    if (path === '/leads/search') return json(pageOf(found(String(body.search), state), body.after))
    state.calls.push({ call: `${request.method()} ${path}`, body })
    if (state.refuse) return json(state.refuse.body, state.refuse.status)
    if (path === '/session') state.session = null
    const refusal = refusalOf(path, body, state)
    return refusal ? json(refusal, 409) : json(change(path, body, state))
  }
  const [, subject, reference] = path.split('/')
  if (subject === 'leads' && reference) {
    const lead = state.leads.find((one) => one.reference === reference)
    return lead ? json(lead) : problem(404, 'There is no such request.')
  }
  if (subject === 'leads')
    return json(pageOf(listed(url.searchParams.get('view'), state), url.searchParams.get('after')))
  if (subject === 'summary') return json(summary(state))
  const page = state[subject as 'session' | 'access' | 'figures']
  return page ? json(page) : problem(404, 'There is nothing at this address.')
}

const viewOf = (lead: LeadDetail): LeadView =>
  lead.followUpOn ? 'waiting' : lead.isSuspect ? 'suspects' : lead.state

const listed = (view: string | null, { leads }: State) =>
  leads.filter((lead) => view === 'all' || viewOf(lead) === view)

const found = (search: string, { leads }: State) =>
  leads.filter((lead) =>
    `${lead.name} ${lead.phone} ${lead.message}`.toLowerCase().includes(search.toLowerCase()),
  )

function pageOf(leads: LeadDetail[], after: unknown) {
  const start = Number(after ?? 0)
  const next = start + PAGE_SIZE
  return { leads: leads.slice(start, next), next: next < leads.length ? String(next) : null }
}

function summary({ leads, mail }: State): Summary {
  const count = (view: LeadView) => leads.filter((lead) => view === 'all' || viewOf(lead) === view).length
  const waiting = leads.filter((lead) => viewOf(lead) === 'open')
  return {
    counts: Object.fromEntries(leadViews.map((view) => [view, count(view)])) as Summary['counts'],
    waiting: waiting.length,
    late: waiting.filter((lead) => lead.dueAt < new Date(sampleNow()).toISOString()).length,
    medianMinutesToAnswer: leads.length > 0 ? 52 : null,
    mail,
  }
}

/** The server's error for a draft or an answer that is based on an outdated lead or draft. */
function refusalOf(path: string, body: Record<string, unknown>, { leads }: State): object | undefined {
  const [, , reference, what, key] = path.split('/')
  const lead = leads.find((one) => one.reference === reference)
  if (!lead || key || (what !== 'answers' && what !== 'draft')) return
  const current = { state: lead.state, version: lead.version }
  if (body.version !== lead.version) return { detail: 'Ben has already changed this lead.', current }
  const isNewer = lead.draft !== null && lead.draft !== body.base && lead.draft !== body.text
  if (what === 'draft' && isNewer) return { detail: 'There is a newer draft.', current, draft: lead.draft }
  return
}

/** Adds a note, but only once per key. An undo deletes it. */
function noteOn(lead: LeadDetail, { key, isUndo, text }: Record<string, unknown>, { notes, session }: State) {
  const known = notes.get(String(key))
  if (isUndo) lead.events = lead.events.filter(({ id }) => id !== known?.id)
  else if (!known)
    notes.set(String(key), addEvent(lead, { who: session?.owner ?? '', what: 'note', text: String(text) }))
}

/** Applies a change to the state, and returns what the server would respond. */
function change(path: string, body: Record<string, unknown>, state: State): unknown {
  const [, , reference, what, key] = path.split('/')
  if (path === '/mail/resend') {
    const { failed, state: mail } = state.mail
    state.mail = { state: 'ok', since: null, failed: 0 }
    return { resent: mail === 'waiting' ? 1 : failed }
  }
  const lead = state.leads.find((one) => one.reference === reference)
  if (!lead) return {}
  if (what === 'undo') {
    Object.assign(lead, state.before, { version: lead.version + 1 })
    return { state: lead.state, version: lead.version }
  }
  state.before = structuredClone(lead)
  if (what !== 'seen' && what !== 'draft' && what !== 'notes' && what !== 'receipt') lead.version++
  if (what === 'seen') lead.isUnread = false
  if (what === 'state') {
    const canSendReceipt = body.state === 'open' && (lead.isSuspect || lead.state === 'spam')
    Object.assign(lead, { state: body.state, isSuspect: false, canSendReceipt })
  }
  if (what === 'receipt') lead.canSendReceipt = false
  if (what === 'follow-up') lead.followUpOn = body.on as string | null
  if (what === 'draft') lead.draft = body.text as string
  if (what === 'notes') noteOn(lead, key ? { key, isUndo: true } : body, state)
  if (what === 'erase') state.leads = state.leads.filter(({ email }) => email !== lead.email)
  if (what === 'erase') return { notErased: [], ...state.remains }
  const status = () => ({ state: lead.state, version: lead.version })
  if (what !== 'answers') return status()
  if (key) {
    const undone = [state.answers.get(key), lead.draft].filter((text) => text != null).join('\n\n')
    Object.assign(lead, { state: 'open', pendingAnswer: null, draft: undone })
    return { ...status(), text: undone }
  }
  if (body.to) {
    const [from, to] = [lead.email, String(body.to)]
    lead.email = to
    addEvent(lead, { who: state.session?.owner ?? '', what: 'address', from, to })
  }
  const pendingAnswer = { key: String(body.key), sendsAt: inMs(15_000) }
  state.answers.set(pendingAnswer.key, String(body.text))
  Object.assign(lead, { state: 'answered', draft: null, trouble: null, pendingAnswer })
  return { ...status(), ...pendingAnswer }
}

type Reply = {
  state: State
  json: (body: unknown, status?: number) => Promise<void>
  problem: (status: number, detail: string) => Promise<void>
}

function signIn(path: string, body: Record<string, string>, { state, json, problem }: Reply) {
  if (path === '/sign-in') {
    state.hasAsked = true
    return json({}, 202)
  }
  const isRight = path === '/sign-in/code' ? readCode(body.code ?? '') === state.code : true
  if (path.startsWith('/sign-in/passkey')) return problem(400, 'No passkey here.')
  if (!isRight) return problem(400, state.hasAsked ? CODE_WRONG : CODE_ELSEWHERE)
  const owner = path === '/sign-in/link' ? state.linkOwner : session().owner
  state.session = { ...session(), owner, signedInAt: inMs(0) }
  return json(state.session)
}
