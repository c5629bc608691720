import type { Page } from '@playwright/test'
import { answerLead } from '../../../server/leads/answers/answer-lead.ts'
import { anna, answerBox, choose, expect, open, openLead, press, row, type Site } from './test.ts'

type Visit = {
  page: Page
  site: Site
  /** Is called for everything worth seeing, with its name. */
  see: (name: string) => Promise<unknown>
}

const close = async (page: Page) => {
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
}

/** Everything that the inbox can show, in walks that each begin with the sample leads. */
export const walks: Record<string, (visit: Visit) => Promise<unknown>> = {
  async lead({ page, site, see }) {
    await openLead(page, site, 'Dana')
    await see('lead')
    await press(page, 'Done')
    await see('done')
    await press(page, 'Called, no answer…')
    await see('no-answer')
    await close(page)
    await press(page, 'Later')
    await see('follow-up')
    await close(page)
    await choose(page, 'Add a note')
    await see('note')
    await close(page)
    await choose(page, 'Erase this person…')
    await press(page, 'Erase for good')
    await see('erase')
    await close(page)
    await press(page, 'Reply')
    await see('reply')
    const bytes = { mimeType: 'text/plain', buffer: Buffer.from('x') }
    const attach = (name: string) => page.locator('input[type=file]').setInputFiles([{ name, ...bytes }])
    await attach(`${'storefront'.repeat(9)}.pdf`)
    await expect(page.getByText('1 file attached.')).toBeVisible()
    await page.route('**/files/*', (route) => route.fulfill({ status: 503, body: '' }))
    await attach('plan.pdf')
    await expect(page.getByText('Trying again…')).toBeVisible()
    await see('files')
    await page.unroute('**/files/*')
    await press(page, 'Cancel plan.pdf')
    await answerBox(page).fill('Yes, we can.')
    await press(page, 'Send')
    await page.getByRole('button', { name: 'Undo' }).waitFor()
    await see('undo')
  },
  async list({ page, site, see }) {
    await open(page, '/inbox')
    await see('list')
    await row(page, 'Dana Whitfield').focus()
    await page.keyboard.press('x')
    await see('selected')
    await page.keyboard.press('Escape')
    await press(page, 'More')
    await see('more')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await see('shortcuts')
    await close(page)
    await page.getByLabel('Search all requests').fill('5550142')
    await expect(page.getByText('One request found.')).toHaveCount(1)
    await see('search')
    await open(page, '/inbox?view=later')
    await row(page, 'Pat Kowalski').waitFor()
    await see('later')
    await open(page, '/inbox/no-such-page')
    await see('not-found')
    await open(page, `${await site.path('Robert')}?view=suspects`)
    await see('suspects')
    await press(page, 'Not spam')
    await page.getByRole('link', { name: 'Robert Smith', exact: true }).click()
    await expect(page.getByRole('article')).toContainText('Robert Smith')
    await expect(page.getByRole('heading', { name: 'This may be spam' })).toHaveCount(0)
    await see('not-spam')
  },
  async trouble({ page, site, see }) {
    await openLead(page, site, 'Luis')
    await see('trouble')
    await open(page, '/inbox')
    site.mail.refuse('bo@gmial.com', '550 5.1.1 No such user here.')
    await site.arrive('Bo', 'Bounce', { email: 'bo@gmial.com', phone: '(614) 555-0187' })
    await expect(page.getByRole('button', { name: '1 new' })).toBeVisible()
    await see('one-new')
    await press(page, '1 new')
    await expect(row(page, 'Bo Bounce')).toContainText('The address may be wrong')
    await openLead(page, site, 'Bo')
    await expect(page.getByRole('article')).toContainText('The address may be wrong: call instead.')
    await see('bounced')
    site.mail.refuse('dana@example.com', '452 4.2.2 mailbox over quota')
    await site.by(anna, 'Dana', answerLead, { text: 'Yes, we can.' })
    for (const seconds of [16, 80, 400, 1200]) {
      await site.advance(seconds * 1000, page.context())
      await site.sendEmails()
    }
    await open(page, `${await site.path('Dana')}?view=answered&open=reply`)
    await press(page, 'Close')
    await expect(page.getByText(/^The answer has been stuck since .* said: 452 4.2.2/)).toBeVisible()
    await expect(row(page, 'Dana Whitfield')).toContainText('Stuck')
    await see('stuck')
  },
  async pages({ page, site, see }) {
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
    for (const table of ['outbox', 'leads'] as const) await site.db.deleteFrom(table).execute()
    await open(page, '/inbox')
    await see('empty')
  },
  async signIn({ page, see }) {
    await page.context().clearCookies()
    await page.goto('/inbox')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await see('sign-in')
    const address = page.getByLabel('Your email address')
    await expect(address).toHaveAttribute('autocomplete', 'username webauthn')
    await address.fill(anna)
    await press(page, 'Email me a code')
    await expect(page.getByLabel('Code')).toHaveAttribute('autocomplete', 'one-time-code')
    await page.getByLabel('Code').fill('K7MF-2222')
    await page.getByText('That code is wrong').waitFor()
    await see('code')
  },
  async mail({ page, site, see }) {
    const sendAgain = page.getByRole('button', { name: 'Send again' })
    await open(page, '/inbox')
    site.mail.refuse(anna, '550 5.1.1 No such user here.')
    await site.arrive('Nora', 'New')
    await site.giveUpRefused()
    await page.getByText('Some emails were not delivered.').waitFor()
    await see('mail-failed')
    site.mail.accept(anna)
    const json = { detail: 'The database cannot be read.' }
    await page.route('**/mail/resend', (route) => route.fulfill({ status: 503, json }), { times: 1 })
    await sendAgain.click()
    await page.getByText(json.detail).waitFor()
    await sendAgain.click()
    await page.getByText('Sending one message again.').waitFor()
    await expect(sendAgain).toHaveCount(0)

    await site.mail.close()
    await site.arrive('Nils', 'Newer')
    await site.advance(16 * 60_000, page.context())
    await page.getByText('Email is not going out.').waitFor()
    await see('mail-waiting')
    await site.restart({ SMTP_URL: undefined })
    await page.getByText('Email is on hold.').waitFor()
    await expect(sendAgain).toHaveCount(0)
    await see('mail-held')
  },
}
