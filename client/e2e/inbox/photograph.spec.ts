import { expect, test } from '../test.ts'
import { fakeInbox } from './fake-inbox.ts'

// For `npm run pictures`; `npm test` skips it.
const folder = 'test-results/screenshots/inbox'
const only = process.env.ONLY_STATE

const states: Record<
  string,
  {
    path: string
    prepare?: (fake: Awaited<ReturnType<typeof fakeInbox>>) => void
    act?: (page: import('@playwright/test').Page) => Promise<unknown>
  }
> = {
  list: { path: '/inbox' },
  lead: { path: '/inbox/Q-7K3M-9QXD' },
  trouble: { path: '/inbox/Q-9HHC-20TB' },
  suspects: { path: '/inbox/Q-8FGZ-T5RE?view=suspects' },
  empty: {
    path: '/inbox',
    prepare: ({ state }) => {
      state.leads = []
    },
  },
  figures: { path: '/inbox/figures' },
  access: { path: '/inbox/access' },
  'sign-in': {
    path: '/inbox',
    prepare: ({ state }) => {
      state.session = null
    },
  },
  'mail-down': {
    path: '/inbox',
    prepare: ({ state }) => {
      state.mail = { state: 'failed', since: new Date(Date.now() - 9_000_000).toISOString(), failed: 3 }
    },
  },
  reply: { path: '/inbox/Q-7K3M-9QXD', act: (page) => page.getByRole('button', { name: 'Reply' }).click() },
  done: { path: '/inbox/Q-7K3M-9QXD', act: (page) => page.getByRole('button', { name: 'Done' }).click() },
  undo: {
    path: '/inbox/Q-7K3M-9QXD',
    act: async (page) => {
      await page.getByRole('button', { name: 'Reply' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByRole('button', { name: 'Undo' }).waitFor()
    },
  },
  code: {
    path: '/inbox',
    prepare: ({ state }) => {
      state.session = null
    },
    act: async (page) => {
      await page.getByLabel('Your email address').fill('anna@plumbline.example')
      await page.getByRole('button', { name: 'Email me a code' }).click()
      await page.getByLabel('Code').waitFor()
    },
  },
  elsewhere: {
    path: '/inbox/sign-in#code=ACDE2345',
    prepare: ({ state }) => {
      state.session = null
    },
  },
}

for (const colorScheme of ['light', 'dark'] as const)
  for (const width of [360, 390, 768, 1440])
    for (const [name, { path, prepare, act }] of Object.entries(states))
      test(`the inbox is photographed: ${name} at ${width} px, ${colorScheme}`, async ({
        page,
        browserErrors,
      }) => {
        test.skip(only !== undefined && !only.split(',').includes(`${name}-${width}-${colorScheme}`))
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
        await page.setViewportSize({ width, height: width < 700 ? 780 : 900 })
        const fake = await fakeInbox(page)
        prepare?.(fake)
        await page.goto(path)
        await page.waitForFunction(() => document.documentElement.dataset.webFonts !== undefined)
        await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
        await act?.(page)
        await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` })
        browserErrors.length = 0
      })
