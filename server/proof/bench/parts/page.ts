import type { Result } from 'lighthouse'
import { securityHeaders } from '../../../http/security-headers.ts'
import { serve } from '../../testing/contact.ts'
import { median } from '../../testing/percentile.ts'
import { auditPage, itemsOf, medianOf } from '../page/audit-page.ts'
import type { Row } from '../row.ts'
import { openSubject } from '../subject.ts'

// One browser start in four is slow, even on the empty page (TBT up to 110 ms). With fewer audits,
// a few slow starts could distort the median.
const AUDITS = 9
const categories = ['performance', 'accessibility', 'best-practices', 'seo', 'agentic-browsing']
const kilobytes = { Document: 25, Script: 110, Font: 75 }

/** Measures how fast the page is on a slow phone: Lighthouse's figures and the loaded bytes. */
export async function* measure(): AsyncIterable<Row> {
  using plain = await serveEmptyPage()
  await using subject = await openSubject()
  const [ours, empty]: [Result[], Result[]] = [[], []]
  for (let round = 0; round < AUDITS; round++) {
    ours.push(await subject.measure(auditPage))
    empty.push(await auditPage(plain.url))
  }
  // The slower the machine, the longer the times. A machine of 1,500 to 2,000 is what Lighthouse
  // slows down to a phone.
  const index = median(ours.map(({ environment }) => environment.benchmarkIndex))
  yield { figure: 'Lighthouse, benchmark index of this machine', unit: '', ours: index }
  for (const id of categories)
    yield {
      figure: `Lighthouse, ${id}`,
      unit: '',
      ours: median(ours.map(({ categories: scores }) => (scores[id]?.score ?? Number.NaN) * 100)),
      target: { atLeast: 100 },
    }
  const lcp = 'largest-contentful-paint'
  yield {
    figure: 'LCP',
    unit: 'ms',
    ours: medianOf(ours, lcp),
    baseline: { name: 'an almost empty page', value: medianOf(empty, lcp) },
    target: { atMost: 1.15 },
  }
  yield { figure: 'TBT', unit: 'ms', ours: medianOf(ours, 'total-blocking-time'), target: { atMost: 30 } }
  yield { figure: 'CLS', unit: '', ours: medianOf(ours, 'cumulative-layout-shift'), target: { atMost: 0 } }
  yield* await subject.measure(() => byteRows(ours[0] as Result))
}

/** The compressed bytes that the page loads, without headers. */
async function byteRows(report: Result): Promise<Row[]> {
  const requests = itemsOf(report, 'network-requests')
  const sizeOf = async ({ url, resourceType }: (typeof requests)[number]) => {
    const { headers } = await fetch(String(url), { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })
    return { resourceType, kilobytes: Number(headers.get('content-length') ?? Number.NaN) / 1000 }
  }
  const sizes = await Promise.all(requests.map(sizeOf))
  return Object.entries(kilobytes).map(([type, atMost]) => {
    const ofType = sizes.filter(({ resourceType }) => resourceType === type)
    const ours = ofType.reduce((sum, { kilobytes }) => sum + kilobytes, 0)
    return { figure: `bytes: ${type.toLowerCase()}`, unit: 'kB', ours, target: { atMost } }
  })
}

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<link rel="icon" href="data:,"><title>Almost empty</title><h1>Almost empty</h1>`

/**
 * Serves a page with one line of text. What it costs is the browser's and the machine's part of the
 * time that our page takes. It has our security headers, too, because the browser takes time to
 * apply them.
 */
function serveEmptyPage() {
  const headers = { ...securityHeaders({ isHttps: false }), 'Content-Type': 'text/html' }
  return serve((_request, response) => response.writeHead(200, headers).end(page))
}
