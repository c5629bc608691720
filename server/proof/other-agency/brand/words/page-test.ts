import { measured } from '../../facts/measured.ts'

export const title = 'Our own speed'
export const intro = 'Measured on this page.'
export const results = measured && [
  { figure: String(measured.lighthouse), label: 'points' },
  { figure: `${measured.kilobytes} kB`, label: 'in all' },
]
export const details = measured && `${measured.milliseconds} ms`
export const runTest = 'Measure it'
