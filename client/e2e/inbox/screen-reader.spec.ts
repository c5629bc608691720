import type { Page } from '@playwright/test'
import { boxOf } from '../look.ts'
import { answerBox, expect, openLead, openReply, test, writeAgain } from './test.ts'

const status = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text })

test('a message that comes while its conversation is in view is announced', async ({ page, site }) => {
  await openLead(page, site, 'Dana')
  for (const [number, words] of ['1 new message', '2 new messages'].entries()) {
    await writeAgain(site, 'Dana', 'Are you there?', number)
    await expect(status(page, words)).toHaveCount(1)
  }
})

test('the line that is typed is never behind the buttons', async ({ page, site }) => {
  await openReply(page, site)
  // The second is a window of 1280 x 1024 at 400% zoom.
  for (const size of [
    { width: 390, height: 700 },
    { width: 320, height: 256 },
  ]) {
    await page.setViewportSize(size)
    await answerBox(page).fill('Yes\n'.repeat(30))
    await page.keyboard.type('Anna')
    const { bottom } = await boxOf(page, '#answer')
    // The last line stands above the padding of the box.
    expect(bottom - 16).toBeLessThan((await boxOf(page, 'dialog [type=submit]')).y)
  }
})
