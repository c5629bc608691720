import type { Result } from 'lighthouse'
import { median } from '../../testing/percentile.ts'
import { newDataDir, startProgram } from '../../testing/start-program.ts'
import { servePlainPages } from '../baselines/plain-pages.ts'
import { auditPage, itemsOf } from '../page/audit-page.ts'
import { type Delays, timeInteractions } from '../page/time-interactions.ts'
import type { Row } from '../row.ts'

// One browser start in four is slow, even on the empty page (TBT up to 110 ms). With fewer audits, a few slow starts could
// distort the median.
const AUDITS = 9
const VISITS = 7
const categories = ['performance', 'accessibility', 'best-practices', 'seo', 'agentic-browsing']
// On a plain form, the browser needs at least one frame, 16 ms. Ours may then take 50 ms.
const MAX_ADDED_DELAY_MS = 34
const kilobytes = { Document: 25, Script: 110, Font: 75 }
const interactions: Record<keyof Delays, string> = {
  menu: 'opening the menu',
  typing: 'typing',
  submit: 'sending the form',
}

/** Measures how fast the page is on a slow phone: Lighthouse's figures, loaded bytes, and delays after taps and keys. */
export async function* measure(): AsyncIterable<Row> {
  using dataDir = newDataDir()
  using plain = await servePlainPages()
  const program = await startProgram({ DATA_DIR: dataDir.path, CONTACT_LIMIT: '1000' })
  try {
    yield* lighthouseRows(`${program.url}/`, `${plain.url}/empty`)
    yield* interactionRows(program.url, `${plain.url}/form`)
  } finally {
    await program.stop()
  }
}

async function* lighthouseRows(ours: string, empty: string) {
  const reports: Record<'ours' | 'empty', Result[]> = { ours: [], empty: [] }
  for (let round = 0; round < AUDITS; round++) {
    reports.ours.push(await auditPage(ours))
    reports.empty.push(await auditPage(empty))
  }
  const medianOf = (which: keyof typeof reports, audit: string) =>
    median(reports[which].map(({ audits }) => audits[audit]?.numericValue ?? Number.NaN))

  for (const id of categories)
    yield {
      figure: `Lighthouse, ${id}`,
      unit: '',
      ours: median(reports.ours.map(({ categories: scores }) => (scores[id]?.score ?? Number.NaN) * 100)),
      target: { atLeast: 100 },
    } satisfies Row
  const lcp = 'largest-contentful-paint'
  yield {
    figure: 'LCP',
    unit: 'ms',
    ours: medianOf('ours', lcp),
    baseline: { name: 'an almost empty page', value: medianOf('empty', lcp) },
    target: { atMost: 1.15 },
  } satisfies Row
  yield {
    figure: 'TBT',
    unit: 'ms',
    ours: medianOf('ours', 'total-blocking-time'),
    target: { atMost: 30 },
  } satisfies Row
  yield {
    figure: 'CLS',
    unit: '',
    ours: medianOf('ours', 'cumulative-layout-shift'),
    target: { atMost: 0 },
  } satisfies Row
  yield* await byteRows(reports.ours[0] as Result)
}

/** The compressed bytes that the page loads, without headers. */
async function byteRows(report: Result): Promise<Row[]> {
  const requests = itemsOf(report, 'network-requests')
  const sizes = await Promise.all(
    requests.map(async ({ url, resourceType }) => {
      const { headers } = await fetch(String(url), { method: 'HEAD', headers: { 'Accept-Encoding': 'br' } })
      return { resourceType, bytes: Number(headers.get('content-length') ?? Number.NaN) }
    }),
  )
  return Object.entries(kilobytes).map(([type, atMost]) => ({
    figure: `bytes: ${type.toLowerCase()}`,
    unit: 'kB',
    ours:
      sizes.filter(({ resourceType }) => resourceType === type).reduce((sum, { bytes }) => sum + bytes, 0) /
      1000,
    target: { atMost },
  }))
}

/** How much longer a touch or key takes than on a plain form: what that takes depends on the machine. */
async function* interactionRows(ours: string, plain: string) {
  const rounds: Record<'ours' | 'plain', Delays[]> = { ours: [], plain: [] }
  for (let round = 0; round < VISITS; round++) {
    rounds.ours.push(await timeInteractions(ours))
    rounds.plain.push(await timeInteractions(plain))
  }
  for (const [kind, name] of Object.entries(interactions) as [keyof Delays, string][]) {
    const medianOf = (which: keyof typeof rounds) => median(rounds[which].map((delays) => delays[kind]))
    const figure = `INP, ${name}, beyond a plain form`
    yield {
      figure,
      unit: 'ms',
      ours: medianOf('ours') - medianOf('plain'),
      target: { atMost: MAX_ADDED_DELAY_MS },
      note: `${medianOf('ours')} ms; a plain form takes ${medianOf('plain')} ms.`,
    } satisfies Row
  }
}
