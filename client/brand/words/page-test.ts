import { measured } from '#facts/measured.ts'

/**
 * The link that runs the test is missing if the site isn't public, so the title must make sense
 * without it.
 */
export const title = 'This page, put to the test'
/** The end of what Google calls good (Largest Contentful Paint), in seconds. */
export const goodSeconds = 2.5
export const good = `Google: good up to ${goodSeconds} s`
/** Missing if nothing was measured. */
export const reading = measured && {
  seconds: measured.milliseconds / 1000,
  figure: `${secondsOf(measured)} s`,
  label: 'this page',
  /** What a buyer's own customers would notice. */
  result: `Even on a slow phone, this page is up in ${secondsOf(measured)}\u00a0seconds. We'd build yours the same way.`,
  /** The same for those who know the test. */
  details: `Measured with Lighthouse, Google's page test: ${measured.lighthouse} of 100 in every category. Page, scripts and fonts: under ${measured.kilobytes} kB.`,
}
export const runTest = 'Run PageSpeed Insights'

function secondsOf({ milliseconds }: { milliseconds: number }): string {
  return (milliseconds / 1000).toFixed(1)
}
