import { chromium } from '@playwright/test'
import { chromiumFlags, findWholeChromium } from '../../../server/proof/testing/find-chromium.ts'
import { samplePlan } from '../../../server/proof/testing/sample-plan.ts'
import { findNews } from '../../../server/push/push-news.ts'
import { expect, test as inboxTest, keptInBrowser, press } from './test.ts'

// The headless shell shows no notifications. The test starts another
// browser itself: an option would begin another worker.
const test = inboxTest.extend({
  context: async ({ site }, use) => {
    const browser = await chromium.launch({ executablePath: findWholeChromium(), args: chromiumFlags })
    const context = await browser.newContext({ baseURL: site.url, viewport: { width: 390, height: 780 } })
    await context.clock.install({ time: site.now() })
    await site.signIn(context)
    await use(context)
    await browser.close()
  },
})

test('on a phone, a message leads to an answer in three presses', async ({ page, context, site }) => {
  await context.grantPermissions(['notifications'])
  // Only the push service is simulated: this browser isn't connected to one.
  await page.addInitScript(() => {
    const keys = { p256dh: 'B'.repeat(87), auth: 'A'.repeat(22) }
    const current = () => {
      const endpoint = 'https://push.example/1'
      const unsubscribe = async () => sessionStorage.removeItem('subscribed')
      const subscription = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe }
      return sessionStorage.getItem('subscribed') ? (subscription as unknown as PushSubscription) : null
    }
    PushManager.prototype.getSubscription = async () => current()
    PushManager.prototype.subscribe = async () => {
      sessionStorage.setItem('subscribed', 'yes')
      return current() as PushSubscription
    }
  })
  await page.goto('/inbox/access')
  await press(page, 'Tell me on this device')
  await expect(page.getByRole('button', { name: 'Turn off messages' })).toBeVisible()
  const [worker] = context.serviceWorkers()
  expect(worker?.url()).toBe(`${site.url}/inbox-worker.js`)

  await site.arrive('Nora', 'New', { message: 'Do you build\nsites for roofers?' })
  const devtools = await context.newCDPSession(page)
  const activated = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      const active = versions.find(({ status }) => status === 'activated')
      if (active) resolve(active.registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const all = await findNews(site.db, new Date(0).toISOString(), site.now())
  const news = all.find(({ title }) => title.startsWith('Nora'))
  const message = { origin: site.url, registrationId: await activated, data: JSON.stringify(news) }
  // DevTools drops a message for a worker that the browser hasn't
  // stored yet. A repeated one replaces the first.
  const shown = async () => {
    await devtools.send('ServiceWorker.deliverPushMessage', message)
    return notifications()
  }
  const notifications = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/inbox')
      const notifications = (await registration?.getNotifications()) ?? []
      return notifications.map(({ title, body }) => ({ title, body }))
    })
  await expect
    .poll(shown)
    .toEqual([{ title: `Nora New, ${samplePlan.name}`, body: 'Do you build sites for roofers?' }])

  await worker?.evaluate(`registration.getNotifications().then(([notification]) => {
    dispatchEvent(new NotificationEvent('notificationclick', { notification }))
  })`)
  await press(page, 'Quote follows')
  await press(page, 'Send')
  await expect(page.getByText('Sending your answer to Nora')).toBeVisible()
  expect(await site.answers('Nora')).toEqual([
    expect.stringMatching(/^Hello Nora,\n\n.*you will have our quote by/s),
  ])

  await test.step('the worker and the page tell the server of a renewed subscription', async () => {
    const endpoints = () => site.db.selectFrom('push_subscriptions').select('endpoint').execute()
    await worker?.evaluate(`{
      const keys = { p256dh: 'C'.repeat(87), auth: 'A'.repeat(22) }
      const newSubscription = { toJSON: () => ({ endpoint: 'https://push.example/2', keys }) }
      dispatchEvent(Object.assign(new ExtendableEvent('pushsubscriptionchange'), { newSubscription }))
    }`)
    await expect.poll(endpoints).toEqual([{ endpoint: 'https://push.example/2' }])
    await page.goto('/inbox')
    await expect.poll(endpoints).toEqual([{ endpoint: 'https://push.example/1' }])
    await press(page, 'Menu')
    await page.getByRole('link', { name: 'Access' }).click()
  })

  await test.step('messages can be without names, or turned off', async () => {
    const rows = () => site.db.selectFrom('push_subscriptions').select('shows_content').execute()
    await page.getByLabel(/^Show names and first words/).click()
    await expect.poll(rows).toEqual([{ shows_content: 0 }])
    await page.route('**/api/push', (route) => route.fulfill({ status: 400, json: { detail: 'Not now.' } }))
    await press(page, 'Turn off messages')
    await expect(page.getByText('Not now.')).toBeVisible()
    await page.unroute('**/api/push')
    await press(page, 'Turn off messages')
    await expect(page.getByRole('button', { name: 'Tell me on this device' })).toBeVisible()
    expect(await rows()).toEqual([])
  })

  await test.step('who signs out leaves no messages on the screen', async () => {
    await expect.poll(shown).toHaveLength(1)
    await press(page, 'Menu')
    await press(page, 'Sign out')
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
    expect(await notifications()).toEqual([])
  })

  // Nothing of a lead stays in the browser.
  const { stored, ...others } = await keptInBrowser(page)
  expect(others).toEqual({ databases: [], caches: [] })
  expect(JSON.stringify(stored)).not.toMatch(/Nora|roofers/)
})
