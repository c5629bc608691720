import { launch } from 'chrome-launcher'
import lighthouse, { type Result } from 'lighthouse'
import { chromiumFlags, findChromium } from '../../testing/find-chromium.ts'
import { median } from '../../testing/percentile.ts'

// Lighthouse sometimes fails by chance. For example, it reports NO_NAVSTART if its trace lacks the
// start of the navigation.
const TRIES = 3

/** Runs Lighthouse, with its simulated slow phone, on a page in a new browser. */
export async function auditPage(url: string, extraHeaders: Record<string, string> = {}): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const report = await audit(url, extraHeaders)
    if (report && !report.runtimeError) return report
    if (tries === TRIES) throw new Error(report?.runtimeError?.message ?? 'Lighthouse returned no report.')
  }
}

async function audit(url: string, extraHeaders: Record<string, string>): Promise<Result | undefined> {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', ...chromiumFlags],
  })
  try {
    const run = await lighthouse(url, { port: chrome.port, logLevel: 'error', extraHeaders })
    return run?.lhr
  } finally {
    chrome.kill()
  }
}

type Items = { items: Record<string, string | number>[] }

/** The rows of an audit's table. */
export const itemsOf = (report: Result, audit: string) =>
  (report.audits[audit]?.details as Items | undefined)?.items ?? []

/** The median of an audit's number. */
export const medianOf = (reports: readonly Result[], audit: string) =>
  median(reports.map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN))
