import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Page } from '@playwright/test'
import type { Result } from 'lighthouse'
import { apiPath, inboxPath } from '#shared/inbox/api.ts'
import { POLL_EVERY_MS } from '../../../inbox/live/live-routes.ts'
import { fillDatabase } from '../../testing/fill-database.ts'
import { chromiumFlags, findChromium } from '../../testing/find-chromium.ts'
import { median, percentile } from '../../testing/percentile.ts'
import { postOnce } from '../load.ts'
import { auditPage, itemsOf, medianOf } from '../page/audit-page.ts'
import type { Row } from '../row.ts'
import { OWNER, openSubject, signIn } from '../subject.ts'

const LEADS = 10_000
const AUDITS = 7
const ARRIVALS = 20

/** Measures how long an owner on a slow phone waits for the inbox. */
export async function* measure(): AsyncIterable<Row> {
  using data = await fillDatabase(LEADS)
  await using ours = await openSubject({ env: { MAIL_TO: OWNER }, data })
  const { Cookie = '' } = await ours.measure(() => signIn({ DATA_DIR: data.path }))
  yield await ours.measure((url) => audits(url, { Cookie }))
  yield await ours.measure((url) => arrivals(url, Cookie))
  ours.confirm(ARRIVALS)
}

const requestsOf = (report: Result) => itemsOf(report, 'network-requests')

async function audits(url: string, headers: Record<string, string>): Promise<Row> {
  const reports: Result[] = []
  for (let round = 0; round < AUDITS; round++) reports.push(await auditPage(`${url}${inboxPath}`, headers))
  const isSignedIn = (report: Result) =>
    requestsOf(report).some(({ url }) => String(url).includes(`${apiPath}/leads`)) &&
    requestsOf(report).every(({ statusCode }) => statusCode !== 401)
  if (!reports.every(isSignedIn)) throw new Error('The audited page showed no leads.')
  return {
    figure: 'inbox, LCP, signed in, 10,000 leads',
    unit: 'ms',
    ours: medianOf(reports, 'largest-contentful-paint'),
    target: { atMost: 1500 },
  }
}

/**
 * Measures how long it takes an open inbox to say that there is a new lead after the visitor gets a
 * response.
 */
async function arrivals(url: string, cookie: string): Promise<Row> {
  await using browser = await chromium.launch({ executablePath: findChromium(), args: chromiumFlags })
  const page = await browser.newPage({ extraHTTPHeaders: { Cookie: cookie } })
  await page.goto(`${url}${inboxPath}?view=all`, { waitUntil: 'load' })
  await page.getByText('Live', { exact: true }).waitFor()
  const times: number[] = []
  for (let number = 0; number < ARRIVALS; number++) times.push(await timeArrival(page, url, number + 1))
  return {
    figure: 'time until an open inbox shows a new lead, p95',
    unit: 'ms',
    ours: percentile(times, 0.95),
    target: { atMost: 1000 },
    note: `counted from the response to the visitor; median ${median(times).toFixed()} ms.`,
  }
}

async function timeArrival(page: Page, url: string, number: number): Promise<number> {
  // Wait for a random time. Otherwise, each lead would be posted right after the poll that found
  // the previous one, and wait for a whole interval.
  await sleep(Math.random() * POLL_EVERY_MS)
  const seenAt = page.evaluate(timeOfText, `${number} new`)
  await postOnce(url)
  const thankedAt = Date.now()
  return (await seenAt) - thankedAt
}

/**
 * Runs in the browser. Returns the time when the page first contains this text. Playwright's own
 * waiting would be too imprecise: it looks only twice a second.
 */
function timeOfText(text: string): Promise<number> {
  return new Promise((resolve) => {
    const look = () => {
      if (document.body.textContent.includes(text)) resolve(Date.now())
      else requestAnimationFrame(look)
    }
    look()
  })
}
