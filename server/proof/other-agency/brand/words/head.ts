import { brand } from '../../facts/brand.ts'
import { promises } from '../../facts/promises.ts'

export const title = `Web shops for small sellers | ${brand.name}`
export const description = `${brand.offer} for ${brand.audience}. Your site opens in ${promises.buildTime}, and your price comes within ${promises.quote}.`
export const imageText = `${brand.name}. ${brand.slogan}`
