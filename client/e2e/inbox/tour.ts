import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { answerLead } from '../../../server/inbox/leads/answer-lead.ts'
import {
  anna,
  choose,
  confirmErasing,
  expect,
  press,
  row,
  type Site,
  waitForApplication,
  waitForStream,
} from './test.ts'

type Visit = {
  page: Page
  site: Site
  dataDir: string
  /** Is called for everything worth seeing, with its name. */
  see: (name: string) => Promise<unknown>
}

async function open(page: Page, path: string) {
  await page.goto(path)
  await waitForApplication(page)
  await page.waitForFunction(() => document.documentElement.dataset.webFonts !== undefined)
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}
const close = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Everything that the inbox can show, in walks that each begin with the sample leads. */
export const walks: Record<string, (visit: Visit) => Promise<unknown>> = {
  async lead({ page, site, see }) {
    await open(page, await site.path('Dana'))
    await see('lead')
    await press(page, 'Done')
    await see('done')
    await press(page, 'Follow up on…')
    await see('follow-up')
    await close(page)
    await choose(page, 'Add a note')
    await see('note')
    await close(page)
    await choose(page, 'Erase this person…')
    await press(page, 'Erase for good')
    await see('erase')
  },
  async reply({ page, site, see }) {
    await open(page, await site.path('Dana'))
    await press(page, 'Reply')
    await see('reply')
    await press(page, 'Send')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await see('undo')
  },
  async list({ page, see }) {
    await open(page, '/inbox')
    await see('list')
    await press(page, 'More')
    await see('more')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await see('shortcuts')
    await close(page)
    await page.getByLabel('Search all requests').fill('0142')
    await expect(page.getByText('One request found.')).toHaveCount(1)
    await see('search')
    await open(page, '/inbox?view=waiting')
    await see('waiting')
    await open(page, '/inbox?view=lost')
    await row(page, 'Dana Whitfield').click()
    await page.getByRole('heading', { name: 'From the same person' }).waitFor()
    await open(page, '/inbox/no-such-page')
    await see('not-found')
  },
  async suspects({ page, site, see }) {
    await open(page, `${await site.path('Robert')}?view=suspects`)
    await see('suspects')
    await press(page, 'Not spam')
    await page.getByRole('button', { name: 'Send the receipt' }).waitFor()
    await see('not-spam')
  },
  async trouble({ page, site, see }) {
    await open(page, await site.path('Luis'))
    await see('trouble')
    site.mail.refuse('bo@gmial.com', '550 5.1.1 No such user here.')
    await site.arrive('Bo', 'Bounce', { email: 'bo@gmial.com', phone: '(614) 555-0187' })
    await site.sendEmails()
    await open(page, await site.path('Bo'))
    await see('bounced')
    site.mail.refuse('dana@example.com', '452 4.2.2 mailbox over quota')
    await site.by(anna, 'Dana', answerLead, { text: 'Yes, we can.' })
    for (const seconds of [16, 80, 400, 1200]) {
      await site.advance(seconds * 1000, page.context())
      await site.sendEmails()
    }
    await open(page, await site.path('Dana'))
    await see('stuck')
    await open(page, '/inbox?view=answered')
    await see('stuck-row')
  },
  async erasing({ page, site, dataDir, see }) {
    writeFileSync(join(dataDir, 'leads-before-restore-2026-03-01T02-00-00Z.db'), 'damaged')
    await open(page, await site.path('Dana'))
    await choose(page, 'Erase this person…')
    await confirmErasing(page, 'dana@example.com')
    await page.getByRole('heading', { name: 'Not everything was erased' }).waitFor()
    await see('remains')
  },
  async pages({ page, see }) {
    await open(page, '/inbox/figures')
    await page.getByRole('heading', { name: 'Requests by plan' }).waitFor()
    await see('figures')
    await open(page, '/inbox/access')
    await see('access')
    await press(page, 'Remove Anna’s phone')
    await see('remove-passkey')
    await close(page)
    await press(page, 'Sign out Safari on iPhone')
    await see('sign-out-device')
  },
  async empty({ page, site, see }) {
    for (const table of ['outbox', 'leads'] as const) await site.db.deleteFrom(table).execute()
    await open(page, '/inbox')
    await see('empty')
    await open(page, '/inbox/figures')
    await see('no-figures')
  },
  async signIn({ page, site, see }) {
    await site.signIn(page.context(), { minutesAgo: 30 * 24 * 60 - 1, seenMinutesAgo: 1 })
    await open(page, '/inbox')
    await see('ending')
    await page.context().clearCookies()
    await open(page, '/inbox')
    await see('sign-in')
    await page.getByLabel('Your email address').fill(anna)
    await press(page, 'Email me a code')
    await page.getByLabel('Code').fill('K7MF-2222')
    await page.getByText('That code is wrong').waitFor()
    await see('code')
    await page.context().clearCookies()
    await page.goto('about:blank')
    await page.goto('/inbox/sign-in#code=ACDE2345')
    await page.getByText('ACDE-2345').waitFor()
    await see('elsewhere')
  },
  async mail({ page, site, see }) {
    await open(page, '/inbox')
    await waitForStream(page)
    site.mail.refuse(anna, '550 5.1.1 No such user here.')
    await site.arrive('Nora', 'New')
    await page.getByText('Some emails were not delivered.').waitFor()
    await see('mail-failed')
    await site.mail.close()
    await site.arrive('Nils', 'Newer')
    await site.advance(16 * 60_000, page.context())
    await page.getByText('Email is not going out.').waitFor()
    await see('mail-waiting')
    await site.restart({ SMTP_URL: undefined })
    await page.getByText('Email is on hold.').waitFor()
    await see('mail-held')
  },
}
