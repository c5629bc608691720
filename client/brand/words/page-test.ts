import { measured } from '#facts/measured.ts'

export const title = 'Test this page yourself'
export const intro =
  "We ran Lighthouse, Google's page test, on this page as a slow phone loads it. It's built into Chrome, so anyone can check."
export const results = measured && [
  { figure: `${measured.lighthouse} of 100`, label: 'in every Lighthouse category' },
  { figure: `< ${measured.kilobytes} kB`, label: 'for page, scripts and fonts' },
  { figure: '0', label: 'cookies and trackers' },
]
export const runTest = 'Run PageSpeed Insights'
