import { expect, heading, open, openLead, press, row, selected, test, undone, writeAgain } from './test.ts'

test('a key that is held, or pressed in the row of another request, answers and ends nothing but what is open', async ({
  page,
  site,
}) => {
  const ended = async () => {
    const names = ['Dana', 'Joanna', 'Marcus']
    const leads = await Promise.all(names.map((name) => site.lead(name)))
    return names.filter((_name, index) => leads[index]?.state === 'answered')
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await openLead(page, site, 'Dana')
  await row(page, 'Joanna Brandt-Featherstonehaugh').focus()
  await page.keyboard.press('e')
  await page.clock.runFor(1_000)
  expect(await ended()).toEqual([])
  await page.keyboard.press('r')
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await row(page, 'Dana Whitfield').focus()
  await page.keyboard.down('e')
  await expect(heading(page, 'Joanna Brandt-Featherstonehaugh')).toBeVisible()
  await expect.poll(ended).toEqual(['Dana'])
  for (let repeats = 0; repeats < 10; repeats++) {
    await page.keyboard.down('e')
    await page.clock.runFor(100)
  }
  expect(await ended()).toEqual(['Dana'])
})

test('keys mark a lead as won, lost, or spam, postpone it, and note something', async ({ page, site }) => {
  const isNow = (name: string, ...expected: unknown[]) =>
    expect
      .poll(async () => {
        const { state, result, follow_up_at } = await site.lead(name)
        return [state, result, follow_up_at !== null]
      })
      .toEqual(expected)
  await openLead(page, site, 'Dana')
  await page.keyboard.press('n')
  await page.getByRole('textbox', { name: 'Note' }).pressSequentially('Prefers mornings. wl!fz')
  await page.keyboard.press('Control+Enter')
  await expect(page.getByText('note saved.')).toBeVisible()
  await page.keyboard.press('w')
  await isNow('Dana', 'answered', 'won', false)

  await openLead(page, site, 'Joanna')
  await page.keyboard.press('l')
  await isNow('Joanna', 'answered', 'lost', false)

  await openLead(page, site, 'Marcus')
  await page.keyboard.press('f')
  await page.getByRole('button', { name: /In a week/ }).click()
  await isNow('Marcus', 'open', null, true)

  await openLead(page, site, 'Priya')
  await page.keyboard.press('!')
  await isNow('Priya', 'spam', null, false)
  await expect(page.getByText('Priya Raman: marked as spam.')).toBeVisible()
  await page.keyboard.press('z')
  await isNow('Priya', 'open', null, false)
})

test('with keys, an owner goes from lead to lead beside the list, and changes several at once', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 500 })
  await open(page, '/inbox')
  // The hint beside the list names the key.
  await page.keyboard.press(await page.locator('main kbd').innerText())
  await expect(page.getByRole('dialog', { name: 'Shortcuts' })).toBeVisible()
  await page.keyboard.press('Escape')
  for (const [key, name] of [
    ['j', 'Luis Aguilar'],
    ['j', 'Marcus Oyelaran'],
    ['j', 'Dana Whitfield'],
    ['k', 'Marcus Oyelaran'],
  ] as const) {
    await page.keyboard.press(key)
    await expect(heading(page, name)).toBeFocused()
    await expect(row(page, name)).toBeInViewport({ ratio: 0.99 })
  }
  for (const key of ['x', 'j', 'x']) await page.keyboard.press(key)
  await expect(selected(page)).toContainText('2 selected')
  await page.keyboard.press('!')
  await expect(selected(page)).toHaveCount(0)
  await expect.poll(async () => (await site.lead('Dana')).state).toBe('spam')
  expect((await site.lead('Marcus')).state).toBe('spam')

  // On a narrow screen, the lead covers the list, and what is selected there.
  await page.setViewportSize({ width: 800, height: 900 })
  await open(page, '/inbox')
  await page.keyboard.press('j')
  await page.keyboard.press('x')
  await row(page, 'Joanna').click()
  await expect(page.getByRole('button', { name: 'Later', exact: true })).toBeVisible()
  await page.keyboard.press('l')
  await expect.poll(async () => (await site.lead('Joanna')).result).toBe('lost')
  expect((await site.lead('Luis')).result).toBeNull()
})

test('after a change of what is selected, the keys go on where the owner was', async ({ page, site }) => {
  await page.setViewportSize({ width: 800, height: 900 })
  await open(page, '/inbox')
  for (const key of ['j', 'j', 'j', 'x', 'l']) await page.keyboard.press(key)
  await expect(row(page, 'Dana Whitfield')).toHaveCount(0)
  expect((await site.lead('Dana')).result).toBe('lost')
  await page.keyboard.press('j')
  await expect(row(page, 'Joanna')).toBeFocused()
  for (const key of ['x', 'l']) await page.keyboard.press(key)
  await expect(row(page, 'Joanna')).toHaveCount(0)
  await page.keyboard.press('k')
  await expect(row(page, 'Marcus Oyelaran')).toBeFocused()
})

test('what needs no answer goes back to where it was, with a key or for several', async ({ page, site }) => {
  const fields = async (name: string) => {
    const { state, result, replied_at } = await site.lead(name)
    return { state, result, isWaiting: replied_at !== null }
  }
  await writeAgain(site, 'Erin', 'Thanks, see you on Monday!')
  await writeAgain(site, 'Dana', 'My phone number is new.')
  await openLead(page, site, 'Erin')
  await page.keyboard.press('e')
  await expect(page.getByText('Erin Walsh: nothing to answer.')).toBeVisible()
  await expect.poll(() => fields('Erin')).toEqual({ state: 'answered', result: 'won', isWaiting: false })
  await press(page, 'Undo')
  await undone(page)
  expect(await fields('Erin')).toEqual({ state: 'open', result: 'won', isWaiting: true })

  await open(page, '/inbox')
  for (const name of ['Erin Walsh', 'Dana Whitfield']) {
    await row(page, name).focus()
    await page.keyboard.press('x')
  }
  await selected(page).getByRole('button', { name: 'Nothing to answer' }).click()
  const still = 'Dana Whitfield: nothing to answer. The request itself still waits.'
  await expect(page.getByText(still)).toContainText('Erin Walsh: nothing to answer.')
  expect(await fields('Erin')).toMatchObject({ state: 'answered', result: 'won' })
  expect(await fields('Dana')).toMatchObject({ state: 'open', isWaiting: false })
})
