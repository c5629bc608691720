import { expect, type Page } from '@playwright/test'
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
const signedOut: Shown['prepare'] = (state) => {
  state.session = null
}

/** Every page of the inbox in every state. */
const states: Record<string, Shown> = {
  list: { path: '/inbox' },
  lead: { path: lead },
  trouble: { path: '/inbox/Q-9HHC-20TB' },
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
  search: { path: '/inbox', act: (page) => page.getByLabel('Search all requests').fill('0187') },
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
    act: (page) => page.getByText('As a table').first().click(),
  },
  access: { path: '/inbox/access' },
  shortcuts: { path: '/inbox', act: (page) => page.keyboard.press('?') },
  'sign-in': { path: '/inbox', prepare: signedOut },
  code: {
    path: '/inbox',
    prepare: signedOut,
    act: async (page) => {
      await page.getByLabel('Your email address').fill('anna@plumbline.example')
      await press('Email me a code')(page)
      await page.getByLabel('Code').fill('K7MF-2222')
      await page.getByText('That is not the code.').waitFor()
    },
  },
  elsewhere: { path: '/inbox/sign-in#code=ACDE2345', prepare: signedOut },
  'mail-down': {
    path: '/inbox',
    prepare: (state) => {
      state.mail = { state: 'failed', since: new Date(sampleNow() - 9_000_000).toISOString(), failed: 3 }
    },
  },
  ending: {
    path: '/inbox',
    prepare: (state) => {
      if (state.session) state.session.endsAt = new Date(sampleNow() + 60_000).toISOString()
    },
  },
}

export const stateNames = Object.keys(states)

/** Opens a page and waits until it shows what it should. */
export async function openState(page: Page, name: string): Promise<FakeInbox> {
  const { path, prepare, act } = states[name] as Shown
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  const fake = await fakeInbox(page)
  prepare?.(fake.state)
  // Forces a new document, even if only the fragment differs.
  await page.goto('about:blank')
  await page.goto(path)
  await page.waitForFunction(() => document.documentElement.dataset.webFonts !== undefined)
  await waitForApplication(page)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
  await expect(page.getByRole('heading').first()).toBeAttached()
  await act?.(page)
  return fake
}
