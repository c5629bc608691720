import { launch } from 'chrome-launcher'
import lighthouse, { type Result } from 'lighthouse'
import { chromiumFlags, findChromium } from '../../testing/find-chromium.ts'

// A trace begins without its first event now and then: the tool's word for it is NO_NAVSTART.
const TRIES = 3

/** What Lighthouse says of a page on its simulated slow phone, in a browser of its own. */
export async function auditPage(url: string): Promise<Result> {
  for (let tries = 1; ; tries++) {
    const report = await audit(url)
    if (report && !report.runtimeError) return report
    if (tries === TRIES) throw new Error(report?.runtimeError?.message ?? 'no report')
  }
}

async function audit(url: string): Promise<Result | undefined> {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', ...chromiumFlags],
  })
  try {
    const run = await lighthouse(url, { port: chrome.port, logLevel: 'error' })
    return run?.lhr
  } finally {
    chrome.kill()
  }
}
