import { printSignInLink } from '../inbox/print-sign-in-link.ts'
import { waitFor } from './engine.ts'
import { visitor } from './form-steps.ts'
import { overflow } from './in-page.ts'
import { button, check, link, type Scene, type Step, showsText } from './step.ts'

const ANSWER = 'Yes, we can start on Monday.'
const name = `${visitor.firstName} ${visitor.lastName}`
const answerBox = { css: '[role=dialog] textarea, dialog textarea', text: 'Your answer' }

/** Signs in, and checks that the list has the lead from the step "form: sent". */
async function signIn({ browser, site }: Scene) {
  await browser.open(await printSignInLink(site.dataDir, site.port))
  await showsText(browser, name)
  const tooWide = await browser.run(overflow)
  check(tooWide <= 0, `the inbox is ${tooWide} px wider than the window`)
}

async function openLead({ browser }: Scene) {
  await browser.click(link(name))
  await showsText(browser, visitor.message)
}

async function reply({ browser, keepPicture }: Scene) {
  await browser.click(button('Reply'))
  await browser.fill(answerBox, ANSWER)
  await keepPicture('reply')
  await browser.click({ css: 'form button[type=submit]', text: 'Send' })
  await showsText(browser, 'Sending your answer')
}

async function undo({ browser }: Scene) {
  await browser.click(button('Undo'))
  const typed = () => document.querySelector<HTMLTextAreaElement>('dialog textarea')?.value ?? ''
  await waitFor('the answer can be edited again', async () => (await browser.run(typed)).includes(ANSWER))
}

// `--short` skips these steps, because WebKitGTK opens the inbox slowly: it waits for the event stream, which never ends.
export const inboxSteps: Step[] = [
  { name: 'inbox: sign in, list', act: signIn, isLong: true },
  { name: 'inbox: open a lead', act: openLead, isLong: true },
  { name: 'inbox: reply', act: reply, isLong: true },
  { name: 'inbox: undo', act: undo, isLong: true },
]
