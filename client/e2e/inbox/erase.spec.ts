import { subscribe } from 'node:diagnostics_channel'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Route } from '@playwright/test'
import { choose, confirmErasing, expect, heading, open, press, row, signInWithCode, test } from './test.ts'

test('an erasure needs the address, and says how it has ended', async ({ page, context, site, dataDir }) => {
  /**
   * Holds back the response to the next erasure. Until the result is
   * called, the sheet cannot be closed.
   */
  const hold = async () => {
    const gate = Promise.withResolvers<void>()
    const pass = (route: Route) =>
      route.fetch().then((response) => gate.promise.then(() => route.fulfill({ response })))
    await page.route('**/erase', pass, { times: 1 })
    return async (ended: Promise<unknown>) => {
      await expect(page.getByRole('button', { name: 'Erasing…' })).toBeVisible()
      await page.keyboard.press('Escape')
      // The server may take most of a minute.
      await page.clock.fastForward(45_000)
      gate.resolve()
      await ended
    }
  }
  await site.signIn(context, { minutesAgo: 60 })
  await open(page, '/inbox')
  await row(page, 'Dana Whitfield').click()
  await choose(page, 'Erase this person…')
  await page.getByLabel('Type the person’s address').fill('someone@example.com')
  await press(page, 'Erase for good')
  await expect(page.getByText('type dana@example.com')).toBeVisible()

  const commands: { spawnargs: string[] }[] = []
  subscribe('child_process', (message) => commands.push(Object(message).process))
  await test.step('if it fails, the sheet says so', async () => {
    process.env.DATA_DIR = '/nowhere/at/all'
    const release = await hold()
    const ended = confirmErasing(page, 'Dana@Example.com')
    await signInWithCode(page, site)
    await release(ended)
    const sheet = page.getByRole('dialog', { name: 'Erase this person' })
    await expect(sheet).toContainText('The person could not be erased.')
    process.env.DATA_DIR = dataDir
    // Every user of the machine can read the arguments of a command.
    expect(commands.map(({ spawnargs }) => spawnargs.join(' '))).toEqual([expect.not.stringMatching(/dana/i)])
  })

  await test.step('if a file could not be erased, the sheet says which, even after a new request', async () => {
    const file = 'leads-before-restore-2026-03-01T02-00-00Z.db'
    writeFileSync(join(dataDir, file), 'damaged')
    await confirmErasing(page, 'dana@example.com')
    const remains = page.getByRole('dialog', { name: 'Not everything was erased' })
    await expect(remains).toContainText(file)
    await site.arrive('Nora', 'New')
    await expect(page.getByText('New request from Nora New')).toBeAttached()
    await expect(page.getByText('Dana Whitfield has been erased')).toHaveCount(0)
    await remains.getByRole('button', { name: 'Close' }).press('Enter')
    rmSync(join(dataDir, file))
  })

  await test.step('the sheet stays open while it is running, even if the request is already gone', async () => {
    const release = await hold()
    // As it was typed.
    await site.db
      .updateTable('leads')
      .set({ email: 'Priya@Example.com' })
      .where('email', '=', 'priya@example.com')
      .execute()
    await row(page, 'Priya Raman').click()
    await choose(page, 'Erase this person…')
    // The list learns of it late.
    await page.route('**/api/leads?*', (route) => sleep(300).then(() => route.continue()))
    const gone = page.waitForResponse((response) => response.status() === 404)
    const ended = confirmErasing(page, 'priya@example.com')
    await gone
    await expect(heading(page, 'Nothing here')).toHaveCount(1)
    await release(ended)
    await expect(page.getByText('Priya Raman has been erased.')).toBeVisible()
    await expect(row(page, 'Joanna')).toBeFocused()
    expect(await site.leads('Priya')).toEqual([])
  })
})
