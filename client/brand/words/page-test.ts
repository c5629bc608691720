import { measured } from '#facts/measured.ts'

/**
 * The link that runs the test is missing if the site isn't public, so the title must make sense
 * without it.
 */
export const title = 'This page, put to the test'
export const intro =
  "We measured this page as a slow phone loads it, with Lighthouse, Google's page test. Chrome on a computer has it built in, so anyone can check."
/** What a buyer's own customers would notice. */
export const results = measured && [
  { figure: openingTime(measured.milliseconds), label: 'until a slow phone shows the page' },
  { figure: '1 tap', label: 'to call, from anywhere on the page' },
]
/** The same for those who know the test. */
export const details =
  measured &&
  `${measured.lighthouse} of 100 in every Lighthouse category. Page, scripts and fonts: under ${measured.kilobytes} kB. No cookies, no trackers.`
export const runTest = 'Run PageSpeed Insights'

function openingTime(milliseconds: number): string {
  return milliseconds < 1000 ? 'Under 1 second' : `${(milliseconds / 1000).toFixed(1)} seconds`
}
