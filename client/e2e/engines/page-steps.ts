import { setTimeout as sleep } from 'node:timers/promises'
import { anchors } from '#shared/pages.ts'
import { waitFor } from './engine.ts'
import { jumpTo, offsetOf, overflow, plumbAngle, readForm, topOf } from './in-page.ts'
import { check, type Scene, type Step } from './step.ts'

/** This long after scrolling, the plumb line must be vertical. */
const AT_REST_MS = 900
const MAX_SWING_DEGREES = 3
const sections = ['services', 'pricing', 'portfolio', 'contact'] as const
/** Must match header.module.css: 52 rem. */
const isWide = (width: number) => width >= 832

const entry = (anchor: string) => ({ css: `header nav a[href$="#${anchor}"]` })

async function open({ browser, site }: Scene) {
  await browser.open(site.url)
  await browser.run(() => void document.fonts.ready)
  check((await browser.run(() => document.querySelectorAll('h1').length)) === 1, 'not exactly one h1')
  for (const section of sections)
    check(!Number.isNaN(await browser.run(topOf, `#${anchors[section]}`)), `no section ${section}`)
  const tooWide = await browser.run(overflow)
  check(tooWide <= 0, `the page is ${tooWide} px wider than the window`)
}

async function lookAtSections({ browser, keepPicture }: Scene) {
  for (const section of sections) {
    await browser.run(jumpTo, await browser.run(offsetOf, `#${anchors[section]}`))
    await sleep(AT_REST_MS)
    await keepPicture(section)
  }
  const broken = await browser.run(() =>
    [...document.images]
      .filter(({ complete, naturalWidth }) => complete && !naturalWidth)
      .map(({ src }) => src),
  )
  check(broken.length === 0, `images did not load: ${broken}`)
}

/** A phone has a menu button; a wide window shows the entries. */
async function useMenu({ browser, site, width, keepPicture }: Scene) {
  await browser.open(site.url)
  if (!isWide(width)) {
    await browser.click({ css: 'header button[popovertarget]' })
    await waitFor('the menu is open', () => browser.run(isMenuOpen))
    await keepPicture('menu-open')
  }
  await browser.click(entry(anchors.pricing))
  const isThere = async () => Math.abs(await browser.run(topOf, `#${anchors.pricing}`)) < 300
  await waitFor('Pricing is at the top', isThere)
  check(!(await browser.run(isMenuOpen)), 'the menu is still open')
}

const isMenuOpen = () => document.querySelector('header [popover]')?.matches(':popover-open') ?? false

async function choosePlan({ browser, site }: Scene) {
  await browser.open(site.url)
  await browser.click({ css: '#pricing a, #pricing button', text: 'Get Started' })
  await waitFor('the plan is selected in Budget', async () => Boolean((await browser.run(readForm)).budget))
}

/** Scrolls, then looks at the plumb line while it moves and after it has come to rest. */
async function watchPlumbLine({ browser, site }: Scene) {
  await browser.open(site.url)
  const end = await browser.run(offsetOf, `#${anchors.contact}`)
  for (const share of [0.07, 0.4, 0.8]) {
    await browser.run(jumpTo, end * share)
    const swing = await plumbLineOf(browser)
    check(Math.abs(swing) <= MAX_SWING_DEGREES + 0.01, `the plumb line swings by ${swing.toFixed(1)} degrees`)
    await sleep(AT_REST_MS)
    const rest = await plumbLineOf(browser)
    check(
      Math.abs(rest) < 0.01,
      `${Math.round(share * 100)}% down the page, the plumb line rests ${rest.toFixed(1)} degrees off`,
    )
  }
}

async function plumbLineOf(browser: Scene['browser']): Promise<number> {
  const angle = await browser.run(plumbAngle)
  check(angle !== null, 'no plumb line found')
  return angle
}

/** Opens an unknown address, and follows the 404 page's link to the home page. */
async function getLost({ browser, site }: Scene) {
  await browser.open(`${site.url}/no-such-page`)
  await browser.click({ css: 'main a[href="/"]' })
  await waitFor('the home page is back', () => browser.run(() => location.pathname === '/'))
}

export const pageSteps: Step[] = [
  { name: 'page', act: open },
  { name: 'sections', act: lookAtSections, isLong: true },
  { name: 'menu', act: useMenu },
  { name: 'choose a plan', act: choosePlan },
  { name: 'plumb line', act: watchPlumbLine },
  { name: 'unknown address', act: getLost, isLong: true },
]
