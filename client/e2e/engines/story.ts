import { anchors } from '#shared/pages.ts'
import { createSignInLink } from '../../../server/inbox/sign-in/codes.ts'
import { sampleRequest } from '../../../server/proof/testing/sample-request.ts'
import { anna, type Site } from '../site.ts'
import { type Browser, waitFor } from './engine.ts'

/** What a step works with: a browser window of a certain width, and the site. */
export type Scene = {
  browser: Browser
  site: Site
  width: number
  keepPicture(name: string): Promise<void>
}

export type Step = {
  name: string
  /** Skipped by `--short`. */
  isLong?: boolean
  act(scene: Scene): Promise<void>
}

const message = 'We need a new site. When can you start?'
const { firstName, lastName, email, phone } = sampleRequest()
const visitor = { firstName, lastName, email, phone, message }
const answer = 'Yes, we can start on Monday.'
const sendButton = 'main form button[type=submit]'
const answerBox = '[role=dialog] textarea, dialog textarea'

function check(isTrue: boolean, otherwise: string): asserts isTrue {
  if (!isTrue) throw new Error(otherwise)
}

const showsText = (browser: Browser, text: string) =>
  waitFor(`the page says "${text}"`, async () =>
    (await browser.run(() => document.body.innerText)).includes(text),
  )

async function checkWidth(browser: Browser) {
  const { scrollWidth, clientWidth } = await browser.run(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return { scrollWidth, clientWidth }
  })
  check(scrollWidth <= clientWidth, `the page is ${scrollWidth} px wide in a window of ${clientWidth} px`)
}

/** The names and values of the form's fields. */
const readForm = (browser: Browser): Promise<Record<string, string>> =>
  browser.run(() =>
    Object.fromEntries(
      [...document.querySelectorAll<HTMLInputElement>('main form :is(input, select, textarea)')].map(
        ({ name, value }) => [name, value],
      ),
    ),
  )

async function open({ browser, site }: Scene) {
  await browser.open(site.url)
  // The application loads after the page has been painted.
  const isReady = () =>
    'laidOut' in document.documentElement.dataset && document.querySelector('form')?.noValidate
  await waitFor('the application has loaded', () => browser.run(isReady))
  await checkWidth(browser)
  const hasPictures = () =>
    [...document.images].every((image) => {
      image.loading = 'eager'
      return image.complete && image.naturalWidth > 0
    })
  await waitFor('all pictures are loaded', () => browser.run(hasPictures))
}

/** A phone has a menu button; a wide window shows the entries. */
async function useMenu({ browser, width, keepPicture }: Scene) {
  const isOpen = () => document.querySelector('header [popover]')?.matches(':popover-open') ?? false
  // Must match header.module.css: 52 rem.
  if (width < 832) {
    await browser.click('header button[popovertarget]')
    await waitFor('the menu is open', () => browser.run(isOpen))
    await keepPicture('menu-open')
  }
  await browser.click(`header nav a[href$="#${anchors.pricing}"]`)
  const top = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN
  const isThere = async () => Math.abs(await browser.run(top, anchors.pricing)) < 300
  await waitFor('Pricing is at the top', isThere)
  check(!(await browser.run(isOpen)), 'the menu is still open')
}

async function choosePlan({ browser }: Scene) {
  await browser.click('#pricing a', 'Get Started')
  await waitFor('the plan is selected in Budget', async () => Boolean((await readForm(browser)).budget))
}

async function fillIn(browser: Browser) {
  for (const [name, value] of Object.entries(visitor)) await browser.fill(`main form [name="${name}"]`, value)
  await checkEntries(browser)
}

async function checkEntries(browser: Browser) {
  const form = await readForm(browser)
  const isThere = ([name, value]: [string, string]) => form[name] === value
  check(Object.entries(visitor).every(isThere), 'the form lost some of the typed text')
}

async function sendToStoppedServer({ browser, site }: Scene) {
  await fillIn(browser)
  await site.restart({}, async () => {
    await browser.click(sendButton)
    await showsText(browser, 'Failed to send message.')
  })
  await checkEntries(browser)
  // On a phone, the notice can cover the button until it is closed.
  await browser.run(() => document.querySelector<HTMLElement>('[role=alert] button')?.click())
}

async function sendRequest({ browser, site }: Scene) {
  await fillIn(browser)
  await browser.click(sendButton)
  await showsText(browser, 'Message Sent!')
  await showsText(browser, (await site.lead(firstName)).reference)
  check((await readForm(browser)).message === '', 'the form is not empty after sending')
}

async function signIn({ browser, site }: Scene) {
  await browser.open((await createSignInLink(site.db, anna, site.url, site.now())).url)
  await showsText(browser, `${firstName} ${lastName}`)
  await checkWidth(browser)
}

async function reply({ browser, site, keepPicture }: Scene) {
  await browser.click('a[href]', `${firstName} ${lastName}`)
  await showsText(browser, message)
  await browser.click('button', 'Reply')
  await browser.fill(answerBox, answer)
  await keepPicture('reply')
  await browser.click('form button[type=submit]', 'Send')
  await showsText(browser, 'Sending your answer')
  check((await site.answers(firstName)).includes(answer), 'the answer is not what was typed')
}

async function undo({ browser }: Scene) {
  await browser.click('button', 'Undo')
  const typed = () => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value ?? ''
  await waitFor('the answer can be edited again', async () => (await browser.run(typed)).includes(answer))
}

/**
 * A visitor looks around and sends the form, then an owner finds the request and answers it.
 * `--short` skips the inbox, because WebKitGTK opens it slowly: it waits for the event stream,
 * which never ends.
 */
export const story: readonly Step[] = [
  { name: 'page', act: open },
  { name: 'menu', act: useMenu },
  { name: 'choose a plan', act: choosePlan },
  { name: 'form: server down', act: sendToStoppedServer, isLong: true },
  { name: 'form: sent', act: sendRequest },
  { name: 'inbox: sign in, list', act: signIn, isLong: true },
  { name: 'inbox: reply', act: reply, isLong: true },
  { name: 'inbox: undo', act: undo, isLong: true },
]
