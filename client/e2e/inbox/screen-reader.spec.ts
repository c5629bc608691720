import { boxOf } from '../look.ts'
import { answerBox, expect, openReply, test } from './test.ts'

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
