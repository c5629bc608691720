import { brand } from '../../facts/brand.ts'

export const documentTitle = `Nothing here | ${brand.name}`
export const code = 'No. 404'
export const title = 'This shelf is bare'
export const lead = 'Either the page has moved, or the address has a slip in it.'
export const returnHome = 'Back to the front door'
export const angle = '4.04°'
