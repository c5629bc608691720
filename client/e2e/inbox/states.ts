import { expect, type Page } from '@playwright/test'
import { addressDoubt } from '#shared/inbox/words.ts'
import { type FakeInbox, fakeInbox, waitForApplication } from './fake-inbox.ts'
import { sampleNow } from './sample-time.ts'

type Shown = {
  path: string
  /** Prepares the fake inbox before the page is opened. */
  prepare?: (state: FakeInbox['state']) => void
  /** What the owner does on the page. */
  act?: (page: Page) => Promise<unknown>
}

const lead = '/inbox/Q-7K3M-9QXD'
const press = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const choose = (name: string) => async (page: Page) => {
  await press('Done')(page)
  await press(name)(page)
}
/** Erases Dana. The page must show her lead. */
export async function erase(page: Page) {
  await choose('Erase this person…')(page)
  await page.getByLabel('Type the person’s address').fill('dana@example.com')
  await press('Erase for good')(page)
}
async function search(page: Page) {
  await page.getByLabel('Search all requests').fill('whitfield')
  await expect(page.getByText('One request found.')).toHaveCount(1)
}
const signedOut: Shown['prepare'] = (state) => {
  state.session = null
}

/** Dana's answer has been waiting for 40 minutes, because her mailbox is full. */
export function answerIsStuck({ leads }: FakeInbox['state']) {
  const at = new Date(sampleNow() - 40 * 60_000).toISOString()
  const response = '452 4.2.2 mailbox over quota'
  Object.assign(leads.find(({ reference }) => lead.endsWith(reference)) ?? {}, {
    state: 'answered',
    stuckSince: at,
    events: [
      {
        id: 1,
        at,
        who: 'anna@agency.example',
        what: 'answer',
        from: 'open',
        to: 'answered',
        text: 'Yes, we can.',
      },
    ],
    emails: [
      {
        kind: 'answer',
        recipient: 'dana@example.com',
        state: 'queued',
        queuedAt: at,
        attempts: [{ at, outcome: 'retry', response }],
      },
    ],
  })
}

const mailIs = (state: FakeInbox['state']['mail']['state'], failed: number, title: string): Shown => ({
  path: '/inbox',
  prepare: ({ mail }) => {
    const since = state === 'files' ? null : new Date(sampleNow() - 9_000_000).toISOString()
    Object.assign(mail, { state, since, failed })
  },
  act: (page) => page.getByText(title).waitFor(),
})

/** The states of the inbox that accessibility.spec.ts checks and screenshots.spec.ts captures, by name. */
const states: Record<string, Shown> = {
  list: { path: '/inbox' },
  lead: { path: lead },
  trouble: { path: '/inbox/Q-9HHC-20TB' },
  bounced: {
    path: lead,
    prepare: ({ leads }) => {
      const bounced = leads.find(({ reference }) => lead.endsWith(reference))
      Object.assign(bounced ?? {}, { addressDoubt: addressDoubt('(614) 555-0187'), email: 'dana@gmial.com' })
    },
  },
  stuck: { path: lead, prepare: answerIsStuck },
  'stuck-row': { path: '/inbox?view=answered', prepare: answerIsStuck },
  suspects: { path: '/inbox/Q-8FGZ-T5RE?view=suspects' },
  'not-spam': {
    path: '/inbox/Q-8FGZ-T5RE?view=suspects',
    act: async (page) => {
      await press('Not spam')(page)
      await page.getByRole('button', { name: 'Send the receipt' }).waitFor()
    },
  },
  waiting: { path: '/inbox/Q-6S4Q-M1JA?view=waiting' },
  empty: {
    path: '/inbox',
    prepare: (state) => {
      state.leads = []
    },
  },
  search: { path: '/inbox', act: search },
  more: { path: '/inbox', act: press('More') },
  reply: { path: lead, act: press('Reply') },
  done: { path: lead, act: press('Done') },
  'follow-up': { path: lead, act: choose('Follow up on…') },
  note: { path: lead, act: choose('Add a note') },
  erase: {
    path: lead,
    act: async (page) => {
      await choose('Erase this person…')(page)
      await press('Erase for good')(page)
    },
  },
  remains: {
    path: lead,
    prepare: (state) => {
      state.remains = {
        notErased: ['leads-before-restore-2026-03-01T02-00-00Z.db', 'leads.db'],
      }
    },
    act: async (page) => {
      await erase(page)
      await page.getByRole('heading', { name: 'Not everything was erased' }).waitFor()
    },
  },
  undo: {
    path: lead,
    act: async (page) => {
      await press('Reply')(page)
      await press('Send')(page)
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    },
  },
  'not-found': { path: '/inbox/no-such-page' },
  figures: {
    path: '/inbox/figures',
    act: (page) => page.getByRole('heading', { name: 'Requests by plan' }).waitFor(),
  },
  'no-figures': {
    path: '/inbox/figures',
    prepare: (state) => {
      state.leads = []
      for (const week of state.figures.weeks)
        Object.assign(week, { leads: 0, due: 0, answered: 0, onTime: 0 })
    },
  },
  access: { path: '/inbox/access' },
  'remove-passkey': { path: '/inbox/access', act: press('Remove Anna’s phone') },
  'sign-out-device': { path: '/inbox/access', act: press('Sign out Safari on iPhone') },
  shortcuts: { path: '/inbox', act: (page) => page.keyboard.press('?') },
  'sign-in': { path: '/inbox', prepare: signedOut },
  code: {
    path: '/inbox',
    prepare: signedOut,
    act: async (page) => {
      await page.getByLabel('Your email address').fill('anna@agency.example')
      await press('Email me a code')(page)
      await page.getByLabel('Code').fill('K7MF-2222')
      await page.getByText('That code is wrong').waitFor()
    },
  },
  elsewhere: { path: '/inbox/sign-in#code=ACDE2345', prepare: signedOut },
  'mail-down': mailIs('failed', 3, 'Some emails were not delivered.'),
  'mail-waiting': mailIs('waiting', 0, 'Email is not going out.'),
  'mail-held': mailIs('held', 1, 'Email is on hold.'),
  'mail-files': mailIs('files', 0, 'No mail server is set up.'),
  ending: {
    path: '/inbox',
    prepare: (state) => {
      if (state.session) state.session.endsAt = new Date(sampleNow() + 60_000).toISOString()
    },
  },
}

export const stateNames = Object.keys(states)

/**
 * The names of the states, in groups. States in the same group share a page, so `switchState` can go from one to the next
 * without a reload. `undo`, `not-spam` and `search` are the last of their groups, because they change the lead or the list.
 */
export const stateGroups: string[][] = [
  ['lead', 'reply', 'done', 'undo'],
  ['follow-up', 'note', 'erase'],
  ['list', 'more', 'shortcuts', 'search'],
  ['suspects', 'not-spam'],
  ['sign-in', 'code'],
  ['access', 'remove-passkey', 'sign-out-device'],
  ['mail-down', 'mail-waiting', 'mail-held', 'mail-files'],
]
stateGroups.push(...stateNames.filter((name) => !stateGroups.flat().includes(name)).map((name) => [name]))

/** Closes any open sheet, and switches to this state on the same page. */
export async function switchState(page: Page, { state }: FakeInbox, name: string): Promise<void> {
  const { prepare, act } = states[name] as Shown
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  prepare?.(state)
  await page.evaluate(() => window.dispatchEvent(new Event('fake-change')))
  await act?.(page)
}

/** Opens the page of this state, waits until it has loaded, and then runs the state's `act`. */
export async function openState(page: Page, name: string): Promise<FakeInbox> {
  const { path, prepare, act } = states[name] as Shown
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const fake = await fakeInbox(page)
  prepare?.(fake.state)
  // Otherwise, a URL that differs only in its fragment would not load a new document.
  if (path.includes('#')) await page.goto('about:blank')
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.webFonts !== undefined)
  await waitForApplication(page)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(page.getByRole('heading').first()).toBeAttached()
  await act?.(page)
  return fake
}
