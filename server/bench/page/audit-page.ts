import { launch } from 'chrome-launcher'
import lighthouse, { type Result } from 'lighthouse'
import { chromiumFlags, findChromium } from '../../testing/find-chromium.ts'

/** What Lighthouse says of a page on its simulated slow phone, in a browser of its own. */
export async function auditPage(url: string): Promise<Result> {
  const chrome = await launch({
    chromePath: findChromium(),
    chromeFlags: ['--headless=new', ...chromiumFlags],
  })
  try {
    const run = await lighthouse(url, { port: chrome.port, logLevel: 'error' })
    if (!run || run.lhr.runtimeError) throw new Error(run?.lhr.runtimeError?.message ?? 'no report')
    return run.lhr
  } finally {
    chrome.kill()
  }
}
