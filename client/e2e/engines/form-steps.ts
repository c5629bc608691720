import { anchors } from '#shared/pages.ts'
import { sampleRequest } from '../../../server/proof/testing/sample-request.ts'
import { type Browser, waitFor } from './engine.ts'
import { readForm } from './in-page.ts'
import { check, field, type Scene, type Step, showsText } from './step.ts'

const { firstName, lastName, email, phone } = sampleRequest()
export const visitor = {
  firstName,
  lastName,
  email,
  phone,
  message: 'We need a new site. When can you start?',
}
const REFERENCE = /Q-[0-9A-Z]{4}-[0-9A-Z]{4}/

/** Opens the form and waits for the application, which loads after the page has been painted. */
async function openForm({ browser, site }: Scene) {
  await browser.open(`${site.url}/#${anchors.contact}`)
  const isReady = () => document.querySelector('main form')?.hasAttribute('toolname')
  await waitFor('the application has loaded', () => browser.run(isReady))
}

async function fillIn(browser: Browser) {
  for (const [name, value] of Object.entries(visitor)) await browser.fill(field(name), value)
  check(await hasEntries(browser), 'the form lost some of the typed text')
}

async function hasEntries(browser: Browser): Promise<boolean> {
  const form = await browser.run(readForm)
  return Object.entries(visitor).every(([name, value]) => form[name] === value)
}

const send = (browser: Browser) => browser.click({ css: 'main form button[type=submit]' })

const showsReference = (browser: Browser) =>
  waitFor('the page shows the reference', async () => REFERENCE.test(await browser.read()))

async function sendRequest(scene: Scene) {
  const { browser } = scene
  await openForm(scene)
  await fillIn(browser)
  await send(browser)
  await showsText(browser, 'Message Sent!')
  await showsReference(browser)
  check((await browser.run(readForm)).message === '', 'the form is not empty after sending')
}

/** The server accepts only one request per client address (site.ts), so it refuses this second one. */
async function sendTooMany(scene: Scene) {
  const { browser } = scene
  await openForm(scene)
  await fillIn(browser)
  await send(browser)
  await showsText(browser, 'Too many requests')
  check(await hasEntries(browser), 'the entries are gone')
}

async function sendOffline(scene: Scene) {
  const { browser } = scene
  await openForm(scene)
  await fillIn(browser)
  await browser.setOffline(true)
  try {
    await failToSend(browser)
  } finally {
    await browser.setOffline(false)
  }
}

async function sendToStoppedServer(scene: Scene) {
  const { browser, site } = scene
  await openForm(scene)
  await fillIn(browser)
  await site.stop()
  try {
    await failToSend(browser)
  } finally {
    await site.restart()
  }
}

async function failToSend(browser: Browser) {
  await send(browser)
  await showsText(browser, 'Failed to send message.')
  check(await hasEntries(browser), 'the entries are gone')
}

async function sendWithoutScripts({ browser, site }: Scene) {
  await browser.open(`${site.url}/#${anchors.contact}`)
  await fillIn(browser)
  await send(browser)
  await showsReference(browser)
  check(
    (await browser.run(() => location.hash)) === `#${anchors.sent}`,
    'the page did not jump to the confirmation',
  )
}

export const formSteps: Step[] = [
  { name: 'form: sent', act: sendRequest },
  { name: 'form: refused by the server', act: sendTooMany, isLong: true },
  { name: 'form: no network', act: sendOffline, isLong: true },
  { name: 'form: server down', act: sendToStoppedServer, isLong: true },
  { name: 'form: no JavaScript', act: sendWithoutScripts, isLong: true, isScriptless: true },
]
